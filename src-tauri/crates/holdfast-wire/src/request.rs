//! What is asked of the station. Each request is guarded by its own limits before a verb sees it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

/// Setting up a data folder for one station.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct SetUpRequest {
    /// Address of the primary endpoint, `https://…` (plain `http` on loopback only).
    #[validate(url, length(max = 2048))]
    pub sor: String,
    /// Name under which the station is enrolled.
    #[validate(length(min = 1, max = 32))]
    pub station: String,
    /// `idempotent` or `look-before-write`.
    #[validate(length(min = 1, max = 32))]
    pub profile: String,
}

/// Signing in while the SoR answers.
#[derive(Clone, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct SignInRequest {
    /// The person's name at the SoR.
    #[validate(length(min = 1, max = 64))]
    pub user: String,
    /// Never stored, never logged.
    #[validate(length(min = 1, max = 1024))]
    pub password: String,
}

impl std::fmt::Debug for SignInRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignInRequest").finish_non_exhaustive()
    }
}

/// One operation as it is handed in.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct SubmitRequest {
    /// What kind of thing is recorded.
    #[validate(length(min = 1, max = 32))]
    pub kind: String,
    /// Minted when the form was opened; drawn here when absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[validate(length(equal = 36))]
    pub operation_id: Option<String>,
    /// Required for all but a new application.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[validate(length(equal = 36))]
    pub application_id: Option<String>,
    /// Entity tag of the copy that the person saw.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[validate(length(min = 1, max = 256))]
    pub base: Option<String>,
    /// What is to be recorded.
    #[ts(type = "Record<string, unknown>")]
    pub payload: serde_json::Map<String, serde_json::Value>,
}

/// Bringing the backlog to the SoR.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct DrainRequest {
    /// Wait through open breakers until nothing is left, instead of one pass.
    pub until_empty: bool,
    /// Stop after so many seconds.
    #[validate(range(min = 1, max = 604_800))]
    pub max_s: Option<u32>,
}

/// A page of a list.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    /// Rows to pass over.
    #[validate(range(max = 10_000_000))]
    pub skip: u32,
    /// Rows wanted.
    #[validate(range(min = 1, max = 1_000))]
    pub rows: u32,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn each_request_names_the_field_that_is_beyond_its_limit() {
        let set_up =
            SetUpRequest { sor: "no address".into(), station: String::new(), profile: "idempotent".into() };
        let named = set_up.validate().unwrap_err();
        assert!(named.field_errors().contains_key("sor") && named.field_errors().contains_key("station"));

        let sign_in = SignInRequest { user: "clerk".into(), password: "x".repeat(1025) };
        assert!(sign_in.validate().unwrap_err().field_errors().contains_key("password"));

        let submit: SubmitRequest =
            serde_json::from_str(r#"{"kind":"stage","operation_id":"short","payload":{}}"#).unwrap();
        assert!(submit.validate().unwrap_err().field_errors().contains_key("operation_id"));

        let drain = DrainRequest { until_empty: true, max_s: Some(0) };
        assert!(drain.validate().unwrap_err().field_errors().contains_key("max_s"));
        let list = ListRequest { skip: 0, rows: 0 };
        assert!(list.validate().unwrap_err().field_errors().contains_key("rows"));
    }

    #[test]
    fn a_password_is_not_printed() {
        let sign_in = SignInRequest { user: "clerk".into(), password: "secret-word".into() };
        assert!(!format!("{sign_in:?}").contains("secret-word"));
    }
}
