//! What the window is told, as server-sent events.
//!
//! Promise: nothing is left out in silence. Who falls behind is cut off and connects anew, as the browser does by itself.

use std::convert::Infallible;

use axum::response::Sse;
use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream::unfold;
use holdfast_wire::StationEvent;
use tokio::sync::broadcast::Receiver;

pub(crate) fn told(heard: Receiver<StationEvent>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    Sse::new(unfold(heard, async |mut heard| {
        let event = heard.recv().await.ok()?;
        let text = serde_json::to_string(&event).expect("an event is JSON");
        Some((Ok(Event::default().data(text)), heard))
    }))
}
