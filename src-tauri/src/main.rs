//! The shell: windows, tray and capabilities around the station.
//!
//! For now it only says that the window is not built yet. It decides nothing, now or later.

#[allow(clippy::print_stdout, reason = "one line to whoever started it is all it does")]
fn main() {
    println!("The Holdfast window is not built yet; the main job runs in the terminal: ./run.sh");
}
