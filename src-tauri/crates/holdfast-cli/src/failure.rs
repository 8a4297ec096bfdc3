//! Why a command came to nothing, in one place: the exit code, a stable word, and a sentence that says what to do.
//!
//! Promise: no personal value, no secret and no backtrace is in here. Causes go to the log, not to the terminal, except
//! what the operating system says about a file.

use std::collections::BTreeMap;
use std::io;

use holdfast_machine::keyring::KeyringFault;
use holdfast_machine::{ComposeFault, ConfigurationFault, KeyFault, SetUpFault};
use holdfast_sor::{EnrolFault, SettingsFault};
use holdfast_station::ports::JournalError;
use holdfast_store::{FolderError, KeysError, MigrateError, OpenError, VerifyError};
use holdfast_wire::{ApiCode, ApiError, ProblemView, Problems};

use crate::exit::Exit;

/// A command that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// Stable word, kebab-case.
    pub(crate) code: &'static str,
    /// For people.
    pub(crate) sentence: String,
    /// What was wrong with the input, if it was.
    pub(crate) problems: Vec<ProblemView>,
}

impl Failure {
    /// One without problems of its own.
    pub(crate) fn new(exit: Exit, code: &'static str, sentence: impl Into<String>) -> Self {
        Self { exit, code, sentence: sentence.into(), problems: Vec::new() }
    }

    /// A file that cannot be read or written.
    pub(crate) fn of_io(what: &str, cause: &io::Error) -> Self {
        Self::new(Exit::Surroundings, "io", format!("{what}: {cause}"))
    }

    /// A wrong argument, or one that this version does not carry out.
    pub(crate) fn usage(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", sentence)
    }

    /// Its problems; the failure itself is the one problem when the input has none.
    pub(crate) fn problems(&self) -> Problems {
        if !self.problems.is_empty() {
            return Problems { problems: self.problems.clone() };
        }
        let whole = ProblemView {
            pointer: String::new(),
            code: self.code.to_owned(),
            message: self.sentence.clone(),
            params: BTreeMap::new(),
        };
        Problems { problems: vec![whole] }
    }
}

/// On a terminal and in a pipe a problem is `{pointer, code, message}`: the message has the parameters in it.
fn said(problems: Vec<ProblemView>) -> Vec<ProblemView> {
    problems.into_iter().map(|problem| ProblemView { params: BTreeMap::new(), ..problem }).collect()
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        let (exit, code, sentence) = meaning(error.code);
        Self { exit, code, sentence: sentence.to_owned(), problems: said(error.problems) }
    }
}

impl From<ConfigurationFault> for Failure {
    fn from(fault: ConfigurationFault) -> Self {
        Self::usage(fault.to_string())
    }
}

impl From<KeyringFault> for Failure {
    fn from(fault: KeyringFault) -> Self {
        Self::new(Exit::Surroundings, "key", format!("{fault}; nothing was touched"))
    }
}

impl From<KeyFault> for Failure {
    fn from(fault: KeyFault) -> Self {
        match fault {
            KeyFault::Passphrase(_) => Self::usage(fault.to_string()),
            KeyFault::Keyring(fault) => fault.into(),
            KeyFault::Folder(error) => error.into(),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::from(&error)
    }
}

impl From<&OpenError> for Failure {
    fn from(error: &OpenError) -> Self {
        let sentence = error.to_string();
        let here = |exit, code, advice: &str| Self::new(exit, code, format!("{sentence}{advice}"));
        match error {
            OpenError::NotSetUp { .. } => {
                here(Exit::Surroundings, "not-set-up", "; run `holdfastctl init` first")
            }
            OpenError::DatabaseMissing { .. } => {
                here(Exit::Integrity, "integrity", "; look for it before anything else is done here")
            }
            OpenError::InUse { .. } => ApiError { code: ApiCode::InUse, problems: Vec::new() }.into(),
            OpenError::Damaged { .. } => here(Exit::Integrity, "integrity", DAMAGED),
            OpenError::Keys(cause) => cause.into(),
            OpenError::Folder(cause) => cause.into(),
            OpenError::Engine(_) => here(Exit::Surroundings, "engine", ""),
            OpenError::Migrate(cause) => cause.into(),
            OpenError::Journal(cause) => cause.into(),
            OpenError::Io(cause) => Self::of_io("the data folder cannot be used", cause),
        }
    }
}

/// Behind every sentence about something that does not hold.
const DAMAGED: &str = "; change nothing in the data folder, and run `holdfastctl audit verify`";

impl From<&KeysError> for Failure {
    fn from(error: &KeysError) -> Self {
        let sentence = error.to_string();
        let here = |exit, code, advice: &str| Self::new(exit, code, format!("{sentence}{advice}"));
        match error {
            KeysError::Missing => {
                here(Exit::Surroundings, "key", "; without it nobody can open the data, restore it")
            }
            KeysError::Damaged { .. } | KeysError::Parameters => {
                here(Exit::Integrity, "integrity", "; restore the file from a copy, the data are not touched")
            }
            KeysError::Foreign => {
                here(Exit::Surroundings, "key", "; put the right one back, nothing was touched")
            }
            KeysError::WrongPassphrase | KeysError::WrongKeyring => {
                here(Exit::Surroundings, "key", "; nothing was touched")
            }
            KeysError::UnknownProvider { .. } => here(Exit::Surroundings, "key", ""),
            KeysError::Io(cause) => Self::of_io("keys.json cannot be read or written", cause),
        }
    }
}

impl From<&FolderError> for Failure {
    fn from(error: &FolderError) -> Self {
        let sentence = error.to_string();
        match error {
            FolderError::Unfit { .. } => {
                let advice = "; give --data-dir DIR on a disk of this machine";
                Self::new(Exit::Surroundings, "unfit-folder", format!("{sentence}{advice}"))
            }
            FolderError::OpenToAll { .. } => Self::new(Exit::Surroundings, "open-to-all", sentence),
            FolderError::AlreadySetUp { .. } => {
                Self::new(Exit::Refused, "already-set-up", format!("{sentence}; nothing was touched"))
            }
            FolderError::Io { source, .. } => Self::of_io(&sentence, source),
        }
    }
}

impl From<&MigrateError> for Failure {
    fn from(error: &MigrateError) -> Self {
        let sentence = error.to_string();
        match error {
            MigrateError::Newer { .. } => {
                Self::new(Exit::Surroundings, "newer", format!("{sentence}; use the newer program"))
            }
            MigrateError::Changed { .. } => {
                Self::new(Exit::Integrity, "integrity", format!("{sentence}{DAMAGED}"))
            }
            MigrateError::Backup(cause) => Self::of_io(&sentence, cause),
            MigrateError::Sql(_) => Self::new(Exit::Surroundings, "storage", sentence),
        }
    }
}

impl From<&JournalError> for Failure {
    fn from(error: &JournalError) -> Self {
        let code = match error {
            JournalError::Busy { .. } => ApiCode::Busy,
            JournalError::DiskFull => ApiCode::DiskFull,
            JournalError::Damaged { .. } => ApiCode::Integrity,
            JournalError::ReadOnly => ApiCode::InUse,
            JournalError::Stopped | JournalError::Failed(_) => ApiCode::Storage,
        };
        ApiError { code, problems: Vec::new() }.into()
    }
}

impl From<EnrolFault> for Failure {
    fn from(fault: EnrolFault) -> Self {
        let sentence = format!("{fault}; nothing was set up");
        match fault {
            EnrolFault::Settings(cause) => cause.into(),
            EnrolFault::NotAnswering => Self::new(Exit::Surroundings, "not-answering", sentence),
            EnrolFault::Impostor | EnrolFault::Unreadable => {
                Self::new(Exit::Surroundings, "impostor", sentence)
            }
            EnrolFault::Refused { .. } => Self::new(Exit::Refused, "system-refused", sentence),
        }
    }
}

impl From<SettingsFault> for Failure {
    fn from(fault: SettingsFault) -> Self {
        match fault {
            SettingsFault::NotAnAddress
            | SettingsFault::PlainHttp
            | SettingsFault::Credentials
            | SettingsFault::Limits { .. }
            | SettingsFault::NotCertificates { .. } => Self::usage(fault.to_string()),
            SettingsFault::ExtraRoots { .. } | SettingsFault::NoTls(_) => {
                Self::new(Exit::Surroundings, "tls", fault.to_string())
            }
        }
    }
}

impl From<SetUpFault> for Failure {
    fn from(fault: SetUpFault) -> Self {
        match fault {
            SetUpFault::Place(cause) => Self::from(&cause),
            SetUpFault::Enrol(cause) => cause.into(),
            SetUpFault::Beside { part, url, source } => {
                let of_it = Self::from(source);
                Self { sentence: format!("{} at {url}: {}", part.endpoint(), of_it.sentence), ..of_it }
            }
            SetUpFault::Part(cause) => Self::usage(cause.to_string()),
            SetUpFault::Store(cause) => cause.into(),
        }
    }
}

impl From<ComposeFault> for Failure {
    fn from(fault: ComposeFault) -> Self {
        match fault {
            ComposeFault::StationKey | ComposeFault::Addresses => {
                Self::new(Exit::Integrity, "integrity", fault.to_string())
            }
            ComposeFault::Settings(cause) => cause.into(),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Self {
        Self::from(error.reason())
    }
}

fn meaning(code: ApiCode) -> (Exit, &'static str, &'static str) {
    match code {
        ApiCode::NotAnObject => (
            Exit::Usage,
            "not-an-object",
            "the input is not one JSON object within the limits; nothing was saved",
        ),
        ApiCode::Refused => {
            (Exit::Refused, "refused", "refused, and nothing was saved; correct what is named and try again")
        }
        ApiCode::Busy => (
            Exit::Surroundings,
            "busy",
            "too many are waiting to be accepted; nothing was saved, try again in a moment",
        ),
        ApiCode::NotSignedIn => (
            Exit::Refused,
            "not-signed-in",
            "nobody is signed in, or the session has ended; run `holdfastctl sign-in` first",
        ),
        ApiCode::NotPermitted => (
            Exit::Refused,
            "not-permitted",
            "the signed-in person may not do this; somebody who may has to sign in",
        ),
        ApiCode::RulesOutOfDate => (
            Exit::Refused,
            "rules-out-of-date",
            "intake is paused: there are no rules, or they are too old; run `holdfastctl contract refresh`, or \
             `contract load` with the file of the rules office",
        ),
        ApiCode::DiskFull => (
            Exit::Surroundings,
            "disk-full",
            "intake is paused: too little room on the disk; nothing was saved, free some room",
        ),
        ApiCode::NotAnswering => {
            (Exit::Surroundings, "not-answering", "the permit system does not answer; try again later")
        }
        ApiCode::Impostor => (
            Exit::Surroundings,
            "impostor",
            "what answered is not the permit system; look for a sign-in page of the network, or a wrong address",
        ),
        ApiCode::SystemRefused => (Exit::Refused, "system-refused", "the permit system refused"),
        ApiCode::NotFound => (Exit::Refused, "not-found", "there is no such thing at this station"),
        ApiCode::Storage => (
            Exit::Surroundings,
            "storage",
            "the store failed; what was accepted before is safe, look at the disk and start again",
        ),
        ApiCode::Integrity => (
            Exit::Integrity,
            "integrity",
            "what is stored does not hold; change nothing in the data folder and run `holdfastctl audit verify`",
        ),
        ApiCode::InUse => {
            (Exit::InUse, "in-use", "another process writes here and does not answer; nothing was touched")
        }
        ApiCode::NotStarted => (Exit::Surroundings, "not-started", "the station is not open yet"),
    }
}
