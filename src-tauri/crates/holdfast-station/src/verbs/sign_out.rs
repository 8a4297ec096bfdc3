//! Sign-out.
//!
//! Promise: afterwards nobody is signed in and the session's key is gone; what waits goes on being sent, and drafts stay
//! their writer's.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_wire::ApiError;

use crate::ports::SecretName;
use crate::station::Station;
use crate::views;

impl Station {
    /// Signs out whoever is signed in; when nobody is, there is nothing to do.
    ///
    /// # Errors
    /// The journal cannot be written: whoever was signed in still is. Or the vault cannot: then nobody is, and the key is
    /// of no use any more.
    pub fn sign_out(&self) -> Result<(), ApiError> {
        let Some(signed) = self.signed() else { return Ok(()) };
        let entry =
            Entry::new(EventKind::SessionClosed).by(signed.statement.actor).with("sid", signed.statement.sid);
        let closed = self.ports.journal.close_session(self.now(), self.user(), vec![entry]);
        closed.map_err(|cause| views::journal_error(&cause))?;
        self.forget_session();
        self.ports
            .vault
            .forget(SecretName::SessionKey(self.user()))
            .map_err(|cause| views::journal_error(&cause))
    }
}
