//! The `pentarch` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pentarch::cli::main()
}
