//! Where a demonstration lies, and what opens it.
//!
//! Promise: a throw-away folder can be opened by nobody once its process is gone. A kept one is thrown away by nobody.

use std::path::{Path, PathBuf};

use holdfast_machine::SystemEntropy;
use holdfast_machine::secret_file::{PASSPHRASE_MAX_BYTES, SecretText, first_line_of_file};
use holdfast_station::ports::Entropy as _;
use tempfile::TempDir;
use zeroize::Zeroizing;

use super::{NoDemo, leftovers};

/// See the module.
pub struct Place(Kind);

enum Kind {
    ThrowAway { folder: TempDir, words: Zeroizing<[u8; 32]> },
    Kept { folder: PathBuf, words: SecretText },
}

impl Place {
    /// A new folder under `above`, opened by words that are in memory only.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn throw_away(above: &Path) -> Result<Self, NoDemo> {
        let folder = new_folder(above).map_err(NoDemo::Folder)?;
        let mut words = Zeroizing::new([0; 32]);
        SystemEntropy.fill(words.as_mut_slice());
        Ok(Self(Kind::ThrowAway { folder, words }))
    }

    /// A folder that stays, made when it is not there, and opened by the words in a file.
    ///
    /// # Errors
    /// It cannot be made, or there are no words.
    pub fn kept(folder: &Path, passphrase_file: &Path) -> Result<Self, NoDemo> {
        let words = first_line_of_file(passphrase_file, PASSPHRASE_MAX_BYTES)?;
        std::fs::create_dir_all(folder).map_err(NoDemo::Folder)?;
        Ok(Self(Kind::Kept { folder: folder.to_owned(), words }))
    }

    pub(super) fn folder(&self) -> &Path {
        match &self.0 {
            Kind::ThrowAway { folder, .. } => folder.path(),
            Kind::Kept { folder, .. } => folder,
        }
    }

    pub(super) fn data_dir(&self) -> PathBuf {
        self.folder().join("station")
    }

    pub(super) fn words(&self) -> &[u8] {
        match &self.0 {
            Kind::ThrowAway { words, .. } => words.as_slice(),
            Kind::Kept { words, .. } => words.as_bytes(),
        }
    }

    pub(super) fn end(self) -> std::io::Result<()> {
        match self.0 {
            Kind::ThrowAway { folder, .. } => folder.close(),
            Kind::Kept { .. } => Ok(()),
        }
    }
}

fn new_folder(above: &Path) -> std::io::Result<TempDir> {
    std::fs::create_dir_all(above)?;
    leftovers::sweep(above);
    tempfile::Builder::new().prefix(&leftovers::prefix_of(std::process::id())).tempdir_in(above)
}
