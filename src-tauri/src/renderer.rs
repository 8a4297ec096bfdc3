//! What the web view has to be told before it exists.
//!
//! Promise: whoever starts the program and has set the variable is obeyed.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// With it the view draws without sharing buffers with the graphics driver: on drivers that cannot, and on machines
/// without one, the window would stay white.
const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Sees to it that the variable is set, by becoming the same program anew: an environment cannot be changed safely once
/// there are threads.
///
/// # Errors
/// The program cannot be started again.
pub(crate) fn settle() -> io::Result<()> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(());
    }
    let program = std::env::current_exe()?;
    Err(Command::new(program).args(std::env::args_os().skip(1)).env(VARIABLE, "1").exec())
}
