//! Closing the window: carries out what `holdfast_machine::leaving` says.
//!
//! Promise: the window's own thread never waits for the station; a station that does not answer in time, or is not there,
//! has nothing that could keep the window open.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holdfast_machine::SystemClock;
use holdfast_machine::leaving::{Act, Leaving};
use holdfast_station::ports::Clock as _;
use holdfast_wire::{ApiError, Told};
use tauri::{AppHandle, CloseRequestApi, Manager as _, Runtime, State};

use crate::commands::Answer;
use crate::desk::Desk;
use crate::window;

/// Longest that closing waits for the station to say what waits, in seconds.
const ANSWER_MAX_S: u64 = 2;
/// Between two looks whether a program without a window has nothing more to do, in milliseconds.
const LOOK_EVERY_MS: u64 = 1_000;

/// How closing stands, and how the program is ended.
#[derive(Clone)]
pub struct Closing {
    leaving: Arc<Mutex<Leaving>>,
    end: Arc<dyn Fn() + Send + Sync>,
}

/// What closing depends on.
struct Facts {
    waiting: u64,
    is_signed_in: bool,
}

impl Closing {
    /// `end` ends the program.
    #[must_use]
    pub fn new(end: impl Fn() + Send + Sync + 'static) -> Self {
        Self { leaving: Arc::default(), end: Arc::new(end) }
    }

    /// The window is back.
    pub(crate) fn came_back(&self) {
        self.replace(|_| (Leaving::Stays, ()));
    }

    fn replace<T>(&self, next: impl FnOnce(Leaving) -> (Leaving, T)) -> T {
        let mut leaving = self.leaving.lock().unwrap_or_else(PoisonError::into_inner);
        let (after, said) = next(*leaving);
        *leaving = after;
        said
    }

    fn is_done(&self, facts: &Facts) -> bool {
        self.replace(|leaving| (leaving, leaving.is_done(facts.waiting, facts.is_signed_in)))
    }

    fn is_away(&self) -> bool {
        self.replace(|leaving| (leaving, leaving == Leaving::Away))
    }
}

/// Somebody closes the window. Whether it goes is said later, since the station has to be asked.
pub(crate) fn wanted<R: Runtime>(app: &AppHandle<R>, request: &CloseRequestApi) {
    request.prevent_close();
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let facts = facts(&app.state::<Desk>()).await;
        let now = SystemClock.now().boot;
        let act = app.state::<Closing>().replace(|leaving| leaving.wanted(facts.waiting, now));
        carry_out(&app, act, &facts);
    });
}

/// The person means it.
#[tauri::command]
pub(crate) async fn close_window<R: Runtime>(app: AppHandle<R>, desk: State<'_, Desk>) -> Answer<()> {
    let facts = facts(&desk).await;
    let act = app.state::<Closing>().replace(|_| Leaving::meant(facts.waiting));
    carry_out(&app, act, &facts);
    Ok(())
}

fn carry_out<R: Runtime>(app: &AppHandle<R>, act: Act, facts: &Facts) {
    match act {
        Act::End => {
            // What is under way may take seconds to end; nobody has to look at that.
            window::hide(app);
            (app.state::<Closing>().end)();
        }
        Act::Ask => {
            let waiting = u32::try_from(facts.waiting).unwrap_or(u32::MAX);
            app.state::<Desk>().tell(Told::Closing { waiting });
        }
        Act::Hide => {
            window::hide(app);
            tauri::async_runtime::spawn(end_when_done(app.clone()));
        }
    }
}

async fn end_when_done<R: Runtime>(app: AppHandle<R>) {
    let (desk, closing) = (app.state::<Desk>(), app.state::<Closing>());
    let mut stop = desk.stop();
    while closing.is_away() && !stop.is_asked() {
        if closing.is_done(&facts(&desk).await) {
            (closing.end)();
        }
        stop.wait(Duration::from_millis(LOOK_EVERY_MS)).await;
    }
}

async fn facts(desk: &Desk) -> Facts {
    let asked = desk.ask(|station| {
        let waiting = station.status()?.backlog.count;
        Ok::<_, ApiError>(Facts { waiting, is_signed_in: station.session()?.is_some() })
    });
    let answered = tokio::time::timeout(Duration::from_secs(ANSWER_MAX_S), asked).await;
    answered.ok().and_then(Result::ok).unwrap_or(Facts { waiting: 0, is_signed_in: false })
}
