//! The pages. One file per template: its view struct, the function that fills it, its test.
//!
//! A view holds finished text; a template only places it. Nothing here computes a result: every
//! number comes from the standings and goes through `format.rs`.

mod audit;
mod batch;
mod board;
mod cell;
mod claims;
mod comparison;
mod context;
mod data;
mod data_format;
#[cfg(test)]
mod fixture;
mod headline;
mod implementation;
mod index;
mod listing;
mod lookup;
mod macroeval;
mod minibar;
mod news;
mod not_found;
mod notes;
mod operator;
mod prose;
mod record;
mod run;
mod shape;
mod study;
mod table;
mod words;

use std::sync::Arc;

use self::{context::Context, lookup::Lookup};
use super::{File, Job};
use crate::{
    model::{BoardKind, Model},
    standings::{BoardStandings, Standings},
};

/// All pages. What every page needs is looked up once; each job renders a page or a few.
pub fn jobs<'a>(model: &'a Model, standings: &'a Standings) -> Vec<Job<'a>> {
    let context = Arc::new(Context::new(model, standings));
    let mut jobs: Vec<Job<'a>> = Vec::new();
    {
        let context = Arc::clone(&context);
        jobs.push(Box::new(move || {
            let mut files =
                vec![index::file(&context), not_found::file(&context), data_format::file(&context)];
            files.extend(prose::files(&context));
            files.extend(news::file(&context));
            files
        }));
    }
    for at in 0..context.studies.len() {
        study_jobs(&context, at, &mut jobs);
    }
    jobs
}

/// A page of a study, made from the study's lookup.
fn push<'a, F>(context: &Arc<Context<'a>>, at: usize, jobs: &mut Vec<Job<'a>>, page: F)
where
    F: Fn(&Context<'a>, &Lookup<'a>) -> File + Send + Sync + 'a,
{
    let context = Arc::clone(context);
    jobs.push(Box::new(move || vec![page(&context, &context.studies[at])]));
}

fn study_jobs<'a>(context: &Arc<Context<'a>>, at: usize, jobs: &mut Vec<Job<'a>>) {
    let study = context.studies[at].study;
    let standings = context.studies[at].standings;
    push(context, at, jobs, study::file);
    push(context, at, jobs, audit::file);
    push(context, at, jobs, data::file);
    for listing in listing::ALL {
        if (listing.exists)(study) {
            push(context, at, jobs, move |context, lookup| listing::file(context, lookup, listing));
        }
    }
    for board in study.boards.values() {
        match (&board.kind, standings.boards.get(&board.id)) {
            (BoardKind::Speedup(speedup), Some(BoardStandings::Speedup(results))) => {
                push(context, at, jobs, move |context, lookup| {
                    board::file(context, lookup, board, speedup, results)
                });
            }
            (BoardKind::MacroEval { tau, lambda }, Some(BoardStandings::MacroEval(results))) => {
                push(context, at, jobs, move |context, lookup| {
                    macroeval::file(context, lookup, board, (*tau, *lambda), results)
                });
            }
            (BoardKind::Table(table), _) => {
                push(context, at, jobs, move |context, lookup| {
                    table::file(context, lookup, board, table)
                });
            }
            _ => {}
        }
    }
    for operator in study.operators.values() {
        push(context, at, jobs, move |context, lookup| operator::file(context, lookup, operator));
    }
    for shape in study.shapes.values() {
        push(context, at, jobs, move |context, lookup| shape::file(context, lookup, shape));
    }
    for implementation in study.implementations.values() {
        push(context, at, jobs, move |context, lookup| {
            implementation::file(context, lookup, implementation)
        });
    }
    for batch in study.batches.values() {
        push(context, at, jobs, move |context, lookup| batch::file(context, lookup, batch));
    }
    for run in study.macroeval.iter().flat_map(|macroeval| macroeval.runs.values()) {
        push(context, at, jobs, move |context, lookup| run::file(context, lookup, run));
    }
}
