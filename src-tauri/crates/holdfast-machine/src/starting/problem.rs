//! What a person can do about a station that does not open: one problem for each fault.
//!
//! Promise: of the same fault always the same problem, and none of them says that data is lost when it was only not read.

use holdfast_station::ports::JournalError;
use holdfast_store::{KeysError, MigrateError, OpenError};
use holdfast_wire::StartProblem;

use super::{NotTaken, StartFault};
use crate::composing::ComposeFault;
use crate::held_key::KeyFault;
use crate::keyring::KeyringFault;

/// The problem behind a fault.
#[must_use]
pub fn problem_of(fault: &StartFault) -> StartProblem {
    match fault {
        StartFault::Configuration(fault) => StartProblem::Configuration { key: fault.key().to_owned() },
        StartFault::Level(_) => StartProblem::Configuration { key: crate::log::LEVEL_VARIABLE.to_owned() },
        StartFault::NoHome => StartProblem::Folder,
        StartFault::Key(KeyFault::Passphrase(_)) => StartProblem::KeyAbsent,
        StartFault::Key(KeyFault::Keyring(fault)) => of_keyring(fault),
        StartFault::Key(KeyFault::Folder(error)) => of_store(error),
        StartFault::Store(NotTaken::Own) => StartProblem::InUse,
        StartFault::Store(NotTaken::OtherUser) => StartProblem::OtherUser,
        StartFault::Store(NotTaken::NotOpen(error)) => of_store(error),
        StartFault::Compose(ComposeFault::StationKey) => StartProblem::Damaged,
        StartFault::Compose(ComposeFault::Settings(_) | ComposeFault::Addresses) | StartFault::Station(_) => {
            StartProblem::Failed
        }
    }
}

fn of_keyring(fault: &KeyringFault) -> StartProblem {
    match fault {
        KeyringFault::None => StartProblem::KeyringNone,
        KeyringFault::Mute => StartProblem::KeyringMute,
        KeyringFault::Locked => StartProblem::KeyLocked,
        KeyringFault::Absent => StartProblem::KeyAbsent,
        KeyringFault::NotAKey => StartProblem::KeyWrong,
        KeyringFault::Failed => StartProblem::Failed,
    }
}

fn of_store(error: &OpenError) -> StartProblem {
    match error {
        OpenError::NotSetUp { .. } => StartProblem::NotSetUp,
        OpenError::InUse { .. } => StartProblem::InUse,
        OpenError::DatabaseMissing { .. } | OpenError::Damaged { .. } => StartProblem::Damaged,
        OpenError::Keys(error) => of_keys(error),
        OpenError::Folder(_) | OpenError::Io(_) => StartProblem::Folder,
        OpenError::Engine(_) => StartProblem::Failed,
        OpenError::Migrate(MigrateError::Newer { .. }) => StartProblem::NewerVersion,
        OpenError::Migrate(MigrateError::Changed { .. }) => StartProblem::Damaged,
        OpenError::Migrate(MigrateError::Backup(_)) => StartProblem::Folder,
        OpenError::Migrate(MigrateError::Sql(_)) => StartProblem::Failed,
        OpenError::Journal(error) => of_journal(error),
    }
}

fn of_keys(error: &KeysError) -> StartProblem {
    match error {
        KeysError::Missing | KeysError::Damaged { .. } | KeysError::Parameters => StartProblem::Damaged,
        KeysError::Foreign | KeysError::WrongPassphrase | KeysError::WrongKeyring => StartProblem::KeyWrong,
        KeysError::UnknownProvider { .. } => StartProblem::KeyAbsent,
        KeysError::Io(_) => StartProblem::Folder,
    }
}

fn of_journal(error: &JournalError) -> StartProblem {
    match error {
        JournalError::Damaged { .. } => StartProblem::Damaged,
        JournalError::Busy { .. } => StartProblem::InUse,
        JournalError::DiskFull | JournalError::ReadOnly => StartProblem::Folder,
        JournalError::Stopped | JournalError::Failed(_) => StartProblem::Failed,
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use holdfast_store::FolderError;
    use holdfast_wire::{ApiCode, ApiError};

    use super::*;
    use crate::secret_file::SecretFault;

    fn io() -> io::Error {
        io::Error::from(io::ErrorKind::PermissionDenied)
    }

    fn folder() -> PathBuf {
        PathBuf::from("data")
    }

    #[test]
    fn every_fault_of_the_store_is_a_problem_that_a_person_can_act_on() {
        let unknown = KeysError::UnknownProvider { wanted: "keyring", found: "passphrase".to_owned() };
        let newer = MigrateError::Newer { found: 2, known: 1 };
        let no_use = FolderError::Io { path: folder(), source: io() };
        let cases = [
            (OpenError::NotSetUp { folder: folder() }, StartProblem::NotSetUp),
            (OpenError::InUse { folder: folder() }, StartProblem::InUse),
            (OpenError::DatabaseMissing { folder: folder() }, StartProblem::Damaged),
            (OpenError::Damaged { what: "a page".to_owned() }, StartProblem::Damaged),
            (OpenError::Folder(no_use), StartProblem::Folder),
            (OpenError::Io(io()), StartProblem::Folder),
            (OpenError::Migrate(newer), StartProblem::NewerVersion),
            (OpenError::Keys(unknown), StartProblem::KeyAbsent),
            (OpenError::Keys(KeysError::Missing), StartProblem::Damaged),
            (OpenError::Keys(KeysError::Damaged { what: "the canary" }), StartProblem::Damaged),
            (OpenError::Keys(KeysError::Parameters), StartProblem::Damaged),
            (OpenError::Keys(KeysError::Foreign), StartProblem::KeyWrong),
            (OpenError::Keys(KeysError::WrongPassphrase), StartProblem::KeyWrong),
            (OpenError::Keys(KeysError::WrongKeyring), StartProblem::KeyWrong),
            (OpenError::Keys(KeysError::Io(io())), StartProblem::Folder),
            (OpenError::Journal(JournalError::DiskFull), StartProblem::Folder),
            (OpenError::Journal(JournalError::Stopped), StartProblem::Failed),
        ];
        for (error, problem) in cases {
            let sentence = error.to_string();
            assert_eq!(problem_of(&NotTaken::from(error).into()), problem, "{sentence}");
        }
    }

    #[test]
    fn every_state_of_the_keyring_is_told_apart() {
        let cases = [
            (KeyringFault::None, StartProblem::KeyringNone),
            (KeyringFault::Mute, StartProblem::KeyringMute),
            (KeyringFault::Locked, StartProblem::KeyLocked),
            (KeyringFault::Absent, StartProblem::KeyAbsent),
            (KeyringFault::NotAKey, StartProblem::KeyWrong),
            (KeyringFault::Failed, StartProblem::Failed),
        ];
        for (fault, problem) in cases {
            let sentence = fault.to_string();
            assert_eq!(problem_of(&StartFault::Key(fault.into())), problem, "{sentence}");
        }
    }

    #[test]
    fn what_surrounds_the_folder_has_its_problems_too() {
        let level = StartProblem::Configuration { key: "HOLDFAST_LOG".to_owned() };
        let refused = ApiError { code: ApiCode::Storage, problems: Vec::new() };
        let cases = [
            (StartFault::Level(crate::log::NotALevel), level),
            (StartFault::NoHome, StartProblem::Folder),
            (StartFault::Store(NotTaken::Own), StartProblem::InUse),
            (StartFault::Store(NotTaken::OtherUser), StartProblem::OtherUser),
            (StartFault::Key(SecretFault::Empty.into()), StartProblem::KeyAbsent),
            (StartFault::Compose(ComposeFault::StationKey), StartProblem::Damaged),
            (StartFault::Station(refused), StartProblem::Failed),
        ];
        for (fault, problem) in cases {
            assert_eq!(problem_of(&fault), problem, "{fault}");
        }
    }
}
