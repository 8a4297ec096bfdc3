//! Sign-in, while the SoR answers.
//!
//! Promise: the session's private key is made here and never leaves the vault; what counts is the statement that the SoR
//! signed for exactly this station and this key. The password goes over the wire and nowhere else, so that whoever asks the
//! process that holds the journal opens the session themselves and hands over what the SoR said. Each user of this
//! computer has a session of their own.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::ActorId;
use holdfast_core::people::{SessionStatement, SignedStatement};
use holdfast_core::sign::{KeyPair, PublicKey};
use holdfast_wire::{ApiCode, ApiError, SessionView, SignInRequest};
use validator::Validate as _;
use zeroize::Zeroizing;

use crate::ports::{JournalError, KeptSession, SecretName, SessionAsk};
use crate::station::Station;
use crate::views;

/// A session that the SoR opened, with its private key; in memory only.
pub struct OpenedSession {
    signed: SignedStatement,
    seed: Zeroizing<[u8; 32]>,
}

impl OpenedSession {
    /// What the SoR signed.
    #[must_use]
    pub fn signed(&self) -> &SignedStatement {
        &self.signed
    }

    /// The session's private key, for whoever keeps it.
    #[must_use]
    pub fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// Whose it is.
    pub(crate) fn actor(&self) -> &ActorId {
        &self.signed.statement.actor
    }
}

impl Station {
    /// Signs a person in, in place of whoever was signed in here.
    ///
    /// # Errors
    /// `NotAnswering`, `Impostor` or `SystemRefused` (wrong name or password); whoever was signed in still is.
    pub async fn sign_in(&self, request: SignInRequest) -> Result<SessionView, ApiError> {
        let opened = self.open_session(request).await?;
        let view = self.take_up(&opened)?;
        self.look_after_numbers().await;
        Ok(view)
    }

    /// Opens a session at the SoR and keeps it nowhere; who is signed in stays so.
    ///
    /// # Errors
    /// As [`Station::sign_in`].
    pub async fn open_session(&self, request: SignInRequest) -> Result<OpenedSession, ApiError> {
        let _place = self.ask_place()?;
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let mut seed = Zeroizing::new([0; 32]);
        self.ports.entropy.fill(&mut *seed);
        let pair = KeyPair::from_seed(&seed);
        let ask = SessionAsk { user: &request.user, password: &request.password, key: pair.public() };
        let signed = self.ports.sor.open_session(&ask).await.map_err(|fault| views::sor_error(&fault))?;
        self.believe(&signed, &pair.public())?;
        self.heard_the_sor();
        Ok(OpenedSession { signed, seed })
    }

    /// Signs in whose session this is, in place of whoever was signed in here. The SoR is not asked.
    ///
    /// # Errors
    /// `NotSignedIn` when the session is over; whoever was signed in still is.
    pub fn take_up(&self, opened: &OpenedSession) -> Result<SessionView, ApiError> {
        let OpenedSession { signed, seed } = opened;
        signed.statement.holds(self.now().wall).map_err(|_| views::error(ApiCode::NotSignedIn))?;
        self.keep_session(signed.clone(), seed).map_err(|cause| views::journal_error(&cause))?;
        Ok(view(signed))
    }

    /// A session that another process of this computer has opened: the SoR has signed it for this station, and `seed` is
    /// its key.
    ///
    /// # Errors
    /// `Impostor` when it is none.
    pub fn opened_elsewhere(
        &self,
        signed: SignedStatement,
        seed: Zeroizing<[u8; 32]>,
    ) -> Result<OpenedSession, ApiError> {
        self.believe(&signed, &KeyPair::from_seed(&seed).public())?;
        Ok(OpenedSession { signed, seed })
    }

    /// Who is signed in, if the session still holds.
    ///
    /// # Errors
    /// None at present; kept for stores that have to be asked.
    pub fn session(&self) -> Result<Option<SessionView>, ApiError> {
        let now = self.now().wall;
        let signed = self.signed().filter(|signed| signed.statement.holds(now).is_ok());
        Ok(signed.map(|signed| view_of(&signed.statement)))
    }

    /// Whose session holds now.
    pub(crate) fn signed_in(&self) -> Result<SessionStatement, ApiError> {
        let now = self.now().wall;
        let signed = self.signed().filter(|signed| signed.statement.holds(now).is_ok());
        signed.map(|signed| signed.statement).ok_or_else(|| views::error(ApiCode::NotSignedIn))
    }

    fn believe(&self, signed: &SignedStatement, own: &PublicKey) -> Result<(), ApiError> {
        let record = self.ports.journal.station();
        let checked = signed.check(&record.sor_key, &record.station_id, own);
        checked.and_then(|()| signed.statement.holds(self.now().wall)).map_err(|fault| {
            tracing::warn!(error = %fault, "session");
            views::error(ApiCode::Impostor)
        })
    }

    /// The key first: a session whose key is missing would count for nobody, a key without a session harms nobody.
    fn keep_session(&self, signed: SignedStatement, seed: &[u8; 32]) -> Result<(), JournalError> {
        let now = self.now();
        let entry = Entry::new(EventKind::SessionOpened)
            .by(signed.statement.actor.clone())
            .with("sid", signed.statement.sid)
            .with("roles", &signed.statement.roles)
            .with("until", signed.statement.until);
        self.ports.vault.keep(SecretName::SessionKey(self.user()), Zeroizing::new(seed.to_vec()))?;
        let session = KeptSession { user: self.user(), signed, opened_at: now.wall };
        self.ports.journal.keep_session(now, session, vec![entry])?;
        self.load_session()
    }
}

fn view(signed: &SignedStatement) -> SessionView {
    view_of(&signed.statement)
}

fn view_of(statement: &SessionStatement) -> SessionView {
    SessionView {
        actor: statement.actor.to_string(),
        roles: statement.roles.iter().map(ToString::to_string).collect(),
        until: statement.until.to_string(),
    }
}
