//! The protocols: lines of the specification, round trips, and random input.

mod any_input;
mod fuzz;
mod gomocup_lines;
mod gomocup_round_trip;
mod gtp_lines;
mod gtp_round_trip;
#[path = "../../fuzz/bodies/dialects.rs"]
mod parsers;
mod spec;
mod ugi_lines;
mod ugi_round_trip;
