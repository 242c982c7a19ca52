//! The `pentarch` binary, which only calls the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pentarch::cli::main()
}
