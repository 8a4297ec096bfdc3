//! The Holdfast window.

fn main() {
    holdfast_shell::run();
}
