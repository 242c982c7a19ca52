//! The protocols: lines as the specification has them, round trips, and any input at all.

mod any_input;
mod fuzz;
mod gomocup_lines;
mod gomocup_round_trip;
mod gtp_lines;
mod gtp_round_trip;
mod spec;
#[path = "../../fuzz/bodies/dialects.rs"]
mod spoken;
mod ugi_lines;
mod ugi_round_trip;
