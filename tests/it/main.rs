//! The binary as its users meet it: a data folder goes in, an exit code, text and a site come out.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod build;
mod check;
mod diff;
mod explain;
mod folder;
mod import;
mod schema;
mod serve;
mod start;
mod verify;
