//! `paceboard serve`: the site from memory, on this machine only, rebuilt when the data changes.
//!
//! Nothing is read from disk to answer a request and nothing is written: a request names a key of
//! a map or it gets the 404 page. The built site knows nothing of the server; what reloads a page
//! is put into it on its way out (`live.rs`).

mod live;
mod respond;
mod watch;

use std::{
    collections::BTreeMap,
    net::Ipv4Addr,
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::anyhow;
use paceboard::{input, site, standings};

use super::{Outcome, faults, progress::Progress, terminal};
use crate::cli;

/// Paths and bytes of a built site.
type Files = BTreeMap<String, Vec<u8>>;

/// What is served at the moment.
#[derive(Debug, Default, Clone)]
struct Current {
    /// Grows with every change.
    version: u64,
    /// The last good site; none if there was none yet.
    site: Option<Arc<Files>>,
    /// What is wrong with the data as it is now.
    fault: Option<Arc<str>>,
}

/// [`Current`], shared between the rebuilds and the requests.
#[derive(Debug, Default)]
struct Shared {
    current: Mutex<Current>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn current(&self) -> Current {
        self.lock().clone()
    }

    /// Takes in the result of a build, if it differs from what is served. Says whether it does.
    fn publish(&self, built: Built) -> bool {
        let mut current = self.lock();
        let (site, fault) = match built {
            Built::Site(files) => (Some(files), None),
            Built::Fault(text) => (None, Some(Arc::from(text))),
        };
        let same_site = site.is_none() || site.as_ref() == current.site.as_deref();
        if same_site && fault == current.fault && current.version > 0 {
            return false;
        }
        if let Some(site) = site {
            current.site = Some(Arc::new(site));
        }
        current.fault = fault;
        current.version += 1;
        self.changed.notify_all();
        true
    }

    /// The version, as soon as it is another one than `seen` or the time is up.
    fn wait_for_change(&self, seen: u64, patience: Duration) -> u64 {
        let current = self.lock();
        let (current, _) = self
            .changed
            .wait_timeout_while(current, patience, |current| current.version == seen)
            .unwrap_or_else(PoisonError::into_inner);
        current.version
    }
}

/// The result of one build.
enum Built {
    Site(Files),
    Fault(String),
}

pub fn run(args: &cli::Serve) -> anyhow::Result<Outcome> {
    let folder = &args.data.folder;
    // Before the first build: a change during it must not be missed.
    let changes = watch::changes(&input::find_folder(folder)?)?;
    let port = args.port;
    let server = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        anyhow!(
            "cannot listen on port {port}: {error}; --port takes another, --port 0 any free one"
        )
    })?;
    let shared = Arc::new(Shared::default());
    rebuild(folder, &shared);

    let address = server.server_addr();
    terminal::result(&format!("Serving {} at http://{address}/\n", folder.display()))?;
    terminal::message("Pages reload when the data changes. Stop with Ctrl-C.");

    std::thread::spawn({
        let shared = Arc::clone(&shared);
        let folder = folder.clone();
        move || changes.for_each(|()| rebuild(&folder, &shared))
    });
    for request in server.incoming_requests() {
        // A page that waits for a change, or that is slow to read, holds up no other.
        let shared = Arc::clone(&shared);
        std::thread::spawn(move || respond::respond(request, &shared));
    }
    Ok(Outcome::Clean)
}

/// Builds, publishes, and says in one line how it went.
fn rebuild(folder: &Path, shared: &Shared) {
    let built = build(folder).unwrap_or_else(|error| Built::Fault(format!("error: {error:#}\n")));
    let line = match &built {
        Built::Site(files) => format!("Built {}.", count(files.len())),
        Built::Fault(text) => format!("{text}The last good site stays."),
    };
    if shared.publish(built) {
        terminal::message(&line);
    }
}

fn count(files: usize) -> String {
    site::format::count(files, "file", "files")
}

fn build(folder: &Path) -> anyhow::Result<Built> {
    let progress = Progress::start("Reading the data");
    let input = input::load(folder, None)?;
    let Some(model) = &input.model else {
        drop(progress);
        return Ok(Built::Fault(faults::plain_text(folder, &input)));
    };
    progress.stage("Computing");
    let standings = standings::compute(model);
    progress.stage("Rendering");
    let files = site::render(model, &standings).inspect(|_| progress.file());
    Ok(Built::Site(site::write::in_memory(files, model)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(text: &str) -> Built {
        Built::Site(Files::from([("index.html".to_owned(), text.into())]))
    }

    #[test]
    fn the_last_good_site_survives_a_fault() {
        let shared = Shared::default();
        assert!(shared.publish(site("one")));
        assert!(shared.publish(Built::Fault("bad".to_owned())));
        let current = shared.current();
        assert_eq!(current.version, 2);
        assert_eq!(current.fault.as_deref(), Some("bad"));
        assert_eq!(current.site.unwrap()["index.html"], b"one");

        assert!(shared.publish(site("one")), "the fault is gone, which is a change");
        assert_eq!(shared.current().fault, None);
    }

    #[test]
    fn what_changes_nothing_makes_no_page_reload() {
        let shared = Shared::default();
        assert!(shared.publish(site("one")));
        assert!(!shared.publish(site("one")));
        assert!(shared.publish(Built::Fault("bad".to_owned())));
        assert!(!shared.publish(Built::Fault("bad".to_owned())));
        assert_eq!(shared.current().version, 2);
    }

    #[test]
    fn a_waiting_page_hears_of_a_change_that_came_first() {
        let shared = Shared::default();
        shared.publish(site("one"));
        assert_eq!(shared.wait_for_change(0, Duration::from_secs(60)), 1);
        assert_eq!(shared.wait_for_change(1, Duration::ZERO), 1);
    }
}
