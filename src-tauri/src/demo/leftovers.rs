//! Folders of demonstrations that were killed and could not throw their folder away.
//!
//! Promise: a folder goes only when it has a demonstration's name and the process in that name is gone. No folder with a
//! counter's data is ever named so.

use std::fs;
use std::path::Path;

const PREFIX: &str = "demo-";

/// How the folder of this process's demonstration begins.
pub(super) fn prefix_of(process: u32) -> String {
    format!("{PREFIX}{process}-")
}

/// Throws away what is left; what cannot be thrown away stays.
pub(super) fn sweep(above: &Path) {
    let Ok(entries) = fs::read_dir(above) else {
        return;
    };
    for entry in entries.flatten() {
        let owner = entry.file_name().to_str().and_then(process_of);
        if owner.is_some_and(|process| !is_running(process)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn process_of(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok()
}

fn is_running(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_demonstrations_whose_process_is_gone_are_swept() {
        let above = tempfile::tempdir().unwrap();
        let gone = u32::MAX;
        let living = std::process::id();
        let cases = [
            (format!("{}Ab", prefix_of(gone)), false),
            (format!("{}Ab", prefix_of(living)), true),
            ("demo-mine".to_owned(), true),
            ("station".to_owned(), true),
        ];
        for (name, _) in &cases {
            fs::create_dir(above.path().join(name)).unwrap();
        }
        sweep(above.path());
        for (name, stays) in &cases {
            assert_eq!(above.path().join(name).exists(), *stays, "{name}");
        }
    }
}
