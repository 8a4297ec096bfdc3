//! `sign-in`: who works here from now on. The password goes to the SoR and nowhere else.

use holdfast_wire::{ApiCode, ApiError, SessionView, SignInRequest};
use validator::Validate as _;

use crate::compose::{Desk, WayToSor, runtime};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::secrets;
use crate::writing::NotDone;

pub(crate) fn sign_in(desk: &Desk, user: String, form: Form) -> Result<Exit, Failure> {
    // First: nobody types a password only to be told that another process writes here and does not answer.
    let mut writer = desk.writer(WayToSor::Needed)?;
    let password = secrets::password(&user, &runtime()?)?;
    let request = SignInRequest { user, password: password.to_string() };
    request.validate().map_err(|_| Failure::usage("a user name has 1 to 64 characters"))?;
    let session = writer.sign_in(request).map_err(|not_done| match not_done {
        NotDone::Refused(error) => not_signed_in(error),
        NotDone::Failed(failure) => failure,
    })?;
    tracing::info!(actor = session.actor, until = session.until, "signed in");
    form.show(&session, plain)?;
    Ok(Exit::Done)
}

/// The SoR does not say which of them was wrong, and neither do we guess.
fn not_signed_in(error: ApiError) -> Failure {
    if error.code != ApiCode::SystemRefused {
        return error.into();
    }
    let sentence = "the permit system refused the sign-in: the name or the password is wrong, or it no longer knows this \
                    station";
    Failure { sentence: sentence.to_owned(), ..error.into() }
}

fn plain(session: &SessionView) -> String {
    format!("{} is signed in until {} ({})\n", session.actor, session.until, session.roles.join(", "))
}
