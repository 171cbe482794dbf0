//! Tells when the data folder has changed and come to rest.

use std::{
    path::Path,
    sync::mpsc::{self, RecvTimeoutError},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use notify::{Event, EventKind, RecursiveMode, Watcher as _};

/// A change counts when nothing more has come for this long: editors write in several steps.
const REST: Duration = Duration::from_millis(100);
/// A change counts after this long even if more keeps coming.
const AT_MOST: Duration = Duration::from_secs(2);

/// One item per change of the folder, from now on. It ends when the folder cannot be watched any
/// more.
pub fn changes(folder: &Path) -> anyhow::Result<impl Iterator<Item = ()> + Send + 'static> {
    let (sender, receiver) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if is_change(&event) {
            // The receiver is gone only when the program ends.
            let _ = sender.send(());
        }
    })
    .context("cannot watch for changes")?;
    watcher
        .watch(folder, RecursiveMode::Recursive)
        .with_context(|| format!("cannot watch {}", folder.display()))?;
    Ok(std::iter::from_fn(move || {
        // Moved in here: watching ends when it is dropped.
        let _watcher = &watcher;
        receiver.recv().ok()?;
        settle(&receiver);
        Some(())
    }))
}

/// Reading the folder is an event as well, and must not lead to reading it again.
fn is_change(event: &notify::Result<Event>) -> bool {
    // An error may hide a change: better to look once too often.
    event.as_ref().map_or(true, |event| !matches!(event.kind, EventKind::Access(_)))
}

fn settle(receiver: &mpsc::Receiver<()>) {
    let latest = Instant::now() + AT_MOST;
    while Instant::now() < latest {
        if let Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) =
            receiver.recv_timeout(REST)
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};

    use super::*;

    #[test]
    fn reading_is_no_change() {
        for (kind, expected) in [
            (EventKind::Access(AccessKind::Open(AccessMode::Read)), false),
            (EventKind::Access(AccessKind::Close(AccessMode::Read)), false),
            (EventKind::Create(CreateKind::File), true),
            (EventKind::Modify(ModifyKind::Any), true),
            (EventKind::Remove(RemoveKind::File), true),
        ] {
            assert_eq!(is_change(&Ok(Event::new(kind))), expected, "{kind:?}");
        }
    }
}
