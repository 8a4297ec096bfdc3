//! A running SoR on free ports and a database of its own.

use std::time::{Duration, Instant};

use reference_sor::{Database, Provenance, Running, Settings, serve};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{Request, Seen};

/// How long something that must happen may take, in seconds.
const HAPPENS_MAX_S: u64 = 20;

pub(crate) struct City {
    runtime: Runtime,
    running: Option<Running>,
    settings: Settings,
    folder: TempDir,
}

impl City {
    pub(crate) fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// The settings of a drill, changed.
    pub(crate) fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::for_drill(Database::Sqlite(folder.path().join("sor.db")));
        change(&mut settings);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let running = Some(runtime.block_on(serve(settings.clone())).unwrap());
        Self { runtime, running, settings, folder }
    }

    /// Stops it and starts it again on the same database.
    pub(crate) fn restart(&mut self) {
        self.runtime.block_on(self.running.take().unwrap().stop());
        self.running = Some(self.runtime.block_on(serve(self.settings.clone())).unwrap());
    }

    /// The records as they are now, whole in one file.
    pub(crate) fn copy_of_records(&mut self) -> Vec<u8> {
        self.runtime.block_on(self.running.take().unwrap().stop());
        let copy = std::fs::read(self.folder.path().join("sor.db")).unwrap();
        assert!(!self.folder.path().join("sor.db-wal").exists(), "what is stopped is one file");
        self.running = Some(self.runtime.block_on(serve(self.settings.clone())).unwrap());
        copy
    }

    /// Stops it, puts a copy in the place of its records, and starts it again.
    pub(crate) fn come_back_from(&mut self, copy: &[u8], provenance: Provenance) {
        self.runtime.block_on(self.running.take().unwrap().stop());
        std::fs::write(self.folder.path().join("sor.db"), copy).unwrap();
        let settings = Settings { records: provenance, ..self.settings.clone() };
        self.running = Some(self.runtime.block_on(serve(settings)).unwrap());
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) fn url(&self) -> &str {
        &self.running.as_ref().unwrap().url
    }

    pub(crate) fn send(&self, request: &Request) -> Seen {
        request.send(self.url())
    }

    pub(crate) fn identity(&self) -> String {
        self.send(&Request::get("/v1/health")).json()["identity"].as_str().unwrap().to_owned()
    }

    pub(crate) fn drill(&self, request: &Request) -> Seen {
        request.send(self.running.as_ref().unwrap().drill_url.as_deref().unwrap())
    }

    pub(crate) fn put_plan(&self, plan: &str) -> Seen {
        self.drill(&Request::new("PUT", "/drill/faults").body(plan))
    }

    #[track_caller]
    pub(crate) fn faults(&self, faults: &Value) {
        let seen = self.put_plan(&json!({"faults": faults}).to_string());
        assert_eq!(seen.status, Some(204), "{seen:?}");
    }

    pub(crate) fn ledger(&self) -> Vec<Value> {
        self.drill(&Request::get("/drill/ledger")).json()["effects"].as_array().unwrap().clone()
    }

    /// (effects, requests)
    pub(crate) fn counts(&self) -> (u64, u64) {
        let counts = self.drill(&Request::get("/drill/counts")).json();
        (counts["effects"].as_u64().unwrap(), counts["requests"].as_u64().unwrap())
    }

    /// Asks until there are as many effects.
    #[track_caller]
    pub(crate) fn wait_for_effects(&self, effects: u64) {
        let end = Instant::now() + Duration::from_secs(HAPPENS_MAX_S);
        while self.counts().0 != effects {
            assert!(Instant::now() < end, "{:?}", self.counts());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
