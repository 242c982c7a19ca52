//! Reviews the games of a file: `cargo run --example review -- games.sgf 2000`.

#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use pentarch::analysis::review::{ReviewBudget, ReviewEvent, ReviewTask, ReviewText, Reviewer};
use pentarch::arena::CancelToken;
use pentarch::records::{self, ReadOptions};
use std::{env, error::Error, ops::ControlFlow, path::Path, thread};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: review FILE [NODES]")?;
    let nodes = arguments.get(1).map_or(Ok(2_000), |text| text.parse())?;

    let mut tasks = Vec::new();
    for game in records::read(Path::new(path), &ReadOptions::default())? {
        tasks.push(ReviewTask::new(game?, path, &"pente".parse()?)?);
    }

    let workers = thread::available_parallelism()?.get();
    let reviewer = Reviewer::new(workers, 64, ReviewBudget::nodes(nodes))?;
    let mut digest = ReviewText::default();
    reviewer.review(tasks, &CancelToken::default(), |progress| {
        if let ReviewEvent::Game(_, review) = progress {
            digest.add(&review);
        }
        ControlFlow::Continue(())
    })?;
    print!("{digest}");
    Ok(())
}
