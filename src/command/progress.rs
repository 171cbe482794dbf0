//! A line on the terminal for work that takes longer than a second. It is wiped when the work is
//! done, and nothing is shown where stderr is not a terminal.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread::JoinHandle,
    time::Duration,
};

/// How long work must take before it is talked about.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn.
const PERIOD: Duration = Duration::from_millis(200);

/// What is being done; dropped when it is done.
pub struct Progress {
    shared: Arc<Shared>,
    drawer: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

#[derive(Default)]
struct Shared {
    stage: Mutex<&'static str>,
    files: AtomicUsize,
}

impl Progress {
    /// Starts the clock.
    pub fn start(stage: &'static str) -> Self {
        let shared = Arc::new(Shared { stage: Mutex::new(stage), files: AtomicUsize::new(0) });
        let drawer = io::stderr().is_terminal().then(|| {
            let (stop, stopped) = mpsc::channel();
            let shared = Arc::clone(&shared);
            (stop, std::thread::spawn(move || draw(&shared, &stopped)))
        });
        Self { shared, drawer }
    }

    /// Says what is done next.
    pub fn stage(&self, stage: &'static str) {
        *self.shared.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    /// Counts one more file.
    pub fn file(&self) {
        self.shared.files.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.drawer.take() {
            drop(stop);
            // A drawer that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

fn draw(shared: &Shared, stopped: &mpsc::Receiver<()>) {
    let mut wait = PATIENCE;
    let mut drawn = false;
    while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        let stage = *shared.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let files = match shared.files.load(Ordering::Relaxed) {
            0 => String::new(),
            files => format!(" {files} files"),
        };
        let _ = write!(io::stderr(), "\r\x1b[K{stage} …{files}");
        (wait, drawn) = (PERIOD, true);
    }
    if drawn {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
