//! What is written to the log.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::io;
use std::sync::{Arc, Mutex};

use holdfast_station::ports::{RecordSystem as _, SessionAsk, Sockets};
use scripted::*;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Kept {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn the_log_says_what_was_asked_and_holds_no_secret_and_nothing_of_a_person() {
    let kept = Kept::default();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(kept.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let server =
        Scripted::start(|_| Act::Send(sor(422, &[PROBLEM], r#"{"type":"validation","title":"12 OAK ST"}"#)))
            .await;
    let client = client(&server.url());
    client.deliver(&delivery(), Sockets::Fresh).await;
    client.look_up(&delivery(), Sockets::Kept).await;
    let _ = client.health("n0nce", Sockets::Kept).await;
    let ask = SessionAsk { user: "miriam", password: "pa55", key: station_key().public() };
    let _ = client.open_session(&ask).await;

    let log = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    for said in ["/v1/operations", "/v1/operations/{key}", "/v1/health", "/v1/sessions", "422", "POST"] {
        assert!(log.contains(said), "{said} is missing in {log}");
    }
    for secret in ["t0ken", "eyJ", "pa55", "miriam", "n0nce", "OAK", "\"v\":1", &key().to_string()] {
        assert!(!log.contains(secret), "{secret} stands in {log}");
    }
}
