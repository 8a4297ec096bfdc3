//! The HTTP client below everything: how it is built, and which of its connections were opened for whom.
//!
//! Promise: it follows no redirect, repeats nothing on its own, takes no proxy from the environment, asks for no
//! compression and speaks HTTP/1.1. Certificates are those of the operating system plus the extra ones of the
//! settings, read anew by each new client; there is no way around their check. No request is made here.

use std::cell::Cell;
use std::sync::{PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;

use reqwest::{Client, Url, redirect, retry};
use tower_layer::Layer;
use tower_service::Service;

use crate::limits::Limits;
use crate::settings::{EndpointSettings, SettingsFault};

/// Idle connections that are kept, in connections.
const IDLE_CONNECTIONS_MAX: usize = 8;
/// How long an idle connection is kept, in seconds.
const IDLE_MAX_S: u64 = 60;

tokio::task_local! {
    /// Whether a connection was begun on behalf of the request that runs in this scope.
    static OPENED: Cell<bool>;
}

/// Whether a request went over a connection that had served before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    /// Surely an old one: none was begun for this request.
    Reused,
    /// A new one; or an old one that became free while a new one was being opened.
    New,
}

/// One address and the client that keeps connections to it.
pub(crate) struct Endpoint {
    settings: EndpointSettings,
    base: Url,
    idle: Idle,
    /// Made when it is first needed: a machine whose certificates cannot be read still takes in work.
    kept: RwLock<Option<KeptClient>>,
}

/// A client and the limit that it was built with.
#[derive(Clone)]
struct KeptClient {
    client: Client,
    connect_timeout_ms: u64,
}

/// What becomes of a connection that has served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idle {
    /// It is kept for the next request, for a while.
    Kept,
    /// It is closed.
    Closed,
}

impl Endpoint {
    pub(crate) fn new(settings: EndpointSettings) -> Result<Self, SettingsFault> {
        Self::with_idle(settings, Idle::Kept)
    }

    pub(crate) fn with_idle(settings: EndpointSettings, idle: Idle) -> Result<Self, SettingsFault> {
        settings.limits.now().check()?;
        let base = settings.base()?;
        Ok(Self { settings, base, idle, kept: RwLock::new(None) })
    }

    pub(crate) fn limits(&self) -> Limits {
        self.settings.limits.now()
    }

    /// The address of a path below the base.
    pub(crate) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let whole = format!("{}{}", url.path(), path.trim_start_matches('/'));
        url.set_path(&whole);
        url
    }

    /// The client with the connections that are open already; another one after the limit of connecting was changed.
    pub(crate) fn kept(&self) -> Result<Client, SettingsFault> {
        let connect_timeout_ms = self.limits().connect_timeout_ms;
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner).clone();
        let kept = kept.filter(|kept| kept.connect_timeout_ms == connect_timeout_ms);
        kept.map_or_else(|| self.fresh(), |kept| Ok(kept.client))
    }

    /// A client without connections, which takes the kept one's place: after an outage none of the old ones is worth
    /// a try.
    pub(crate) fn fresh(&self) -> Result<Client, SettingsFault> {
        let connect_timeout_ms = self.limits().connect_timeout_ms;
        let client = build(&self.base, &self.settings, connect_timeout_ms, self.idle)
            .inspect_err(|error| tracing::warn!(%error, "no secure connections can be made"))?;
        let kept = KeptClient { client: client.clone(), connect_timeout_ms };
        *self.kept.write().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        Ok(client)
    }
}

/// Runs one request and tells which kind of connection it went over.
pub(crate) async fn noting_connection<F: Future>(request: F) -> (F::Output, Connection) {
    let noted = async {
        let output = request.await;
        let connection = if OPENED.with(Cell::get) { Connection::New } else { Connection::Reused };
        (output, connection)
    };
    OPENED.scope(Cell::new(false), noted).await
}

fn build(
    base: &Url,
    settings: &EndpointSettings,
    connect_timeout_ms: u64,
    idle: Idle,
) -> Result<Client, SettingsFault> {
    // A provider that is there already serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent("holdfast/0.1")
        .redirect(redirect::Policy::none())
        .referer(false)
        .retry(retry::never())
        .no_proxy()
        .http1_only()
        .tcp_nodelay(true)
        .connect_timeout(Duration::from_millis(connect_timeout_ms))
        .pool_idle_timeout(Duration::from_secs(IDLE_MAX_S))
        .pool_max_idle_per_host(match idle {
            Idle::Kept => IDLE_CONNECTIONS_MAX,
            Idle::Closed => 0,
        })
        .connector_layer(NoteOpened);
    let builder = match base.scheme() {
        "https" => builder.https_only(true).tls_certs_merge(settings.extra_roots()?),
        // Loopback: no certificate is needed, so a machine without any can still be tried out.
        _ => builder.tls_certs_only([]),
    };
    builder.build().map_err(SettingsFault::NoTls)
}

/// Notes for the request at hand that a connection is being opened for it. A connection that is opened for one request
/// and then left to another is finished outside of the first one's scope, so nobody takes it for his own.
#[derive(Clone)]
struct NoteOpened;

#[derive(Clone)]
struct NotingConnector<S>(S);

impl<S> Layer<S> for NoteOpened {
    type Service = NotingConnector<S>;

    fn layer(&self, connector: S) -> Self::Service {
        NotingConnector(connector)
    }
}

impl<S: Service<R>, R> Service<R> for NotingConnector<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, destination: R) -> Self::Future {
        let _ = OPENED.try_with(|opened| opened.set(true));
        self.0.call(destination)
    }
}
