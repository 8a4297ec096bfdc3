//! The program `holdfastctl`; everything is in the library, where tests reach it.

fn main() -> std::process::ExitCode {
    holdfast_cli::run()
}
