//! The plan in force: which fault, if any, a request meets.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use axum::http::{HeaderValue, Method, Request};

use super::plan::{Fault, On};

/// The faults in force, and how many writes have come in.
pub(crate) struct Faults {
    /// What a typed answer carries.
    pub(super) identity: HeaderValue,
    armed: Mutex<Vec<Armed>>,
    /// Keys of operations that are worked on, as this SoR says.
    under_way: Mutex<BTreeSet<String>>,
    requests: AtomicU64,
}

struct Armed {
    fault: Fault,
    /// Requests that matched path, method and key since the plan was put.
    matched: u64,
    carried_out: u64,
}

impl Faults {
    pub(crate) fn new(identity: HeaderValue) -> Self {
        Self {
            identity,
            armed: Mutex::new(Vec::new()),
            under_way: Mutex::default(),
            requests: AtomicU64::new(0),
        }
    }

    /// Writes received since the start, faulted ones included.
    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Puts a plan in force; every count starts again.
    pub(super) fn replace(&self, faults: Vec<Fault>) {
        let armed = faults.into_iter().map(|fault| Armed { fault, matched: 0, carried_out: 0 }).collect();
        *self.armed.lock().unwrap_or_else(PoisonError::into_inner) = armed;
    }

    /// Counts a request and takes the first fault that is for it.
    pub(super) fn meet(&self, request: &Request<Bytes>) -> Option<Fault> {
        if request.method() == Method::POST && is_write(request.uri().path()) {
            self.requests.fetch_add(1, Ordering::Relaxed);
        }
        let mut armed = self.armed.lock().unwrap_or_else(PoisonError::into_inner);
        // All are counted, also those behind the one that is carried out.
        let mut met = None;
        for armed in armed.iter_mut() {
            if armed.counts(request) && met.is_none() {
                armed.carried_out += 1;
                met = Some(armed.fault.clone());
            }
        }
        met
    }
}

impl Faults {
    /// Whether the operation that a request brings is worked on already.
    pub(super) fn is_under_way(&self, request: &Request<Bytes>) -> bool {
        let brings = request.method() == Method::POST && is_write(request.uri().path());
        let key = key_of(request).filter(|_| brings);
        key.is_some_and(|key| self.working().contains(key))
    }

    /// From now on it is; gives its key.
    pub(super) fn begin(&self, request: &Request<Bytes>) -> Option<String> {
        let key = key_of(request)?.to_owned();
        self.working().insert(key.clone());
        Some(key)
    }

    /// No longer.
    pub(super) fn end(&self, key: &str) {
        self.working().remove(key);
    }

    fn working(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Armed {
    /// Counts the request if it matches; true when it is also the right one of those.
    fn counts(&mut self, request: &Request<Bytes>) -> bool {
        if !self.fault.on.matches(request) {
            return false;
        }
        self.matched += 1;
        match (self.fault.on.nth, self.fault.count) {
            (None, None) => true,
            (Some(nth), None) => nth == self.matched,
            (nth, Some(count)) => nth.unwrap_or(1) <= self.matched && self.carried_out < count,
        }
    }
}

impl On {
    fn matches(&self, request: &Request<Bytes>) -> bool {
        let path = request.uri().path();
        self.path.as_deref().is_none_or(|prefix| path.starts_with(prefix))
            && self
                .method
                .as_deref()
                .is_none_or(|method| method.eq_ignore_ascii_case(request.method().as_str()))
            && self.key.as_deref().is_none_or(|key| is_about(request, key))
    }
}

/// Of either profile.
fn is_write(path: &str) -> bool {
    path == "/v1/operations" || is_of_records(path)
}

fn is_of_records(path: &str) -> bool {
    path.strip_prefix("/records").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An old vendor's requests name a reference in their query or somewhere in their body.
fn is_about(request: &Request<Bytes>, key: &str) -> bool {
    if !is_of_records(request.uri().path()) {
        return key_of(request) == Some(key);
    }
    let names = |text: &[u8]| !key.is_empty() && text.windows(key.len()).any(|part| part == key.as_bytes());
    request.uri().query().is_some_and(|query| names(query.as_bytes())) || names(request.body())
}

/// The key that a request is about: its header's, or the last step of a look-up.
fn key_of(request: &Request<Bytes>) -> Option<&str> {
    match request.headers().get("idempotency-key") {
        Some(value) => value.to_str().ok().map(|text| text.trim_matches('"')),
        None => request.uri().path().strip_prefix("/v1/operations/"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::drill::plan::{Plan, What, parse};

    fn faults(plan: &str) -> Faults {
        let faults = Faults::new(HeaderValue::from_static("id"));
        match parse(plan.as_bytes()).unwrap() {
            Plan::Faults(list) => faults.replace(list),
            Plan::Refuse => panic!("not a door"),
        }
        faults
    }

    fn request(method: &str, path: &str, key: &str) -> Request<Bytes> {
        let builder = Request::builder().method(method).uri(path).header("idempotency-key", key);
        builder.body(Bytes::new()).unwrap()
    }

    #[test]
    fn the_first_fault_that_matches_is_carried_out_and_all_are_counted() {
        let faults = faults(
            r#"{"faults":[
                {"do":"portal","on":{"path":"/v1/op","method":"post","nth":2}},
                {"do":"redirect","on":{"key":"aa"},"count":1},
                {"do":"half_body","on":{"path":"/v1/operations","nth":4}}]}"#,
        );
        assert_eq!(met(&faults, &request("GET", "/v1/health", "bb")), None);
        assert_eq!(met(&faults, &write()), Some(What::Redirect));
        assert_eq!(met(&faults, &write()), Some(What::Portal));
        assert_eq!(met(&faults, &write()), None, "the redirect was for one request");
        assert_eq!(met(&faults, &write()), Some(What::HalfBody));
        assert_eq!(met(&faults, &write()), None);
        assert_eq!(faults.requests(), 5);
    }

    #[test]
    fn a_count_begins_with_the_nth_request() {
        let faults = faults(r#"{"faults":[{"do":"portal","on":{"nth":2},"count":2}]}"#);
        let seen: Vec<bool> = (0..5).map(|_| met(&faults, &write()).is_some()).collect();
        assert_eq!(seen, [false, true, true, false, false]);
    }

    fn met(faults: &Faults, request: &Request<Bytes>) -> Option<What> {
        faults.meet(request).map(|fault| fault.what)
    }

    fn write() -> Request<Bytes> {
        request("POST", "/v1/operations", "aa")
    }
}
