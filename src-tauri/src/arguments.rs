//! What the window is opened on, as the command line says it.

use std::path::PathBuf;

use clap::Parser;
use holdfast_machine::StartAsk;

/// Holdfast: the permit counter that stays open when the city's system-of-record does not.
#[derive(Debug, Parser)]
#[command(name = "holdfast", version)]
pub(crate) struct Arguments {
    /// Where the station keeps its data [default: ~/.local/share/holdfast]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// A configuration file that counts more than all others
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// File whose first line opens the data, in place of the keyring
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Open a demonstration on made-up data
    #[cfg(feature = "demo")]
    #[arg(long, conflicts_with_all = ["data_dir", "config"])]
    demo: bool,
    /// Keep the demonstration in this folder, so that it can be opened again
    #[cfg(feature = "demo")]
    #[arg(long, value_name = "DIR", requires_all = ["demo", "passphrase_file"])]
    keep: Option<PathBuf>,
}

/// What can be opened.
#[derive(Debug)]
pub(crate) enum What {
    /// The data folder of this machine.
    Folder(StartAsk),
    /// A demonstration; kept in a folder and opened by the words in a file, or thrown away.
    #[cfg(feature = "demo")]
    Demonstration { kept: Option<(PathBuf, PathBuf)> },
}

impl Arguments {
    pub(crate) fn what(self) -> What {
        #[cfg(feature = "demo")]
        if self.demo {
            return What::Demonstration { kept: self.keep.zip(self.passphrase_file) };
        }
        What::Folder(StartAsk {
            data_dir: self.data_dir,
            config: self.config,
            passphrase_file: self.passphrase_file,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Option<What> {
        Arguments::try_parse_from([&["holdfast"], words].concat()).ok().map(Arguments::what)
    }

    #[test]
    fn without_a_word_the_data_folder_of_this_machine_is_opened() {
        let Some(What::Folder(ask)) = asked(&[]) else { panic!("no folder") };
        assert_eq!((ask.data_dir, ask.config, ask.passphrase_file), (None, None, None));
        let named = ["--data-dir", "d", "--config", "c", "--passphrase-file", "p"];
        let Some(What::Folder(ask)) = asked(&named) else { panic!("no folder") };
        let path = |name: &str| Some(PathBuf::from(name));
        assert_eq!((ask.data_dir, ask.config, ask.passphrase_file), (path("d"), path("c"), path("p")));
        assert!(asked(&["--password", "x"]).is_none());
    }

    #[cfg(feature = "demo")]
    #[test]
    fn a_demonstration_has_no_data_folder_of_its_own_choice() {
        assert!(matches!(asked(&["--demo"]), Some(What::Demonstration { kept: None })));
        let kept = asked(&["--demo", "--keep", "d", "--passphrase-file", "p"]);
        assert!(matches!(kept, Some(What::Demonstration { kept: Some(_) })));
        for wrong in [&["--keep", "d"][..], &["--demo", "--keep", "d"], &["--demo", "--data-dir", "d"]] {
            assert!(asked(wrong).is_none(), "{wrong:?}");
        }
    }
}
