//! The `pentarch` binary.
fn main() {}
