//! A process between the arena and each engine, which leaves no process of the engine behind.
//!
//! It starts the engine in a process group of its own and ends all that the engine has started when
//! the engine ends, when the arena says so (SIGTERM), or when the arena is gone, however that was
//! killed. The engine has the arena's pipes for itself: the supervisor only watches for the other
//! end of standard input to be closed and for its parent to change, neither of which a dying arena
//! can fail to do.
//!
//! Linux hands it the orphans among the engine's descendants (`PR_SET_CHILD_SUBREAPER`), so that
//! one that left its group and its parent is found as well. Other Unix systems end the group only,
//! and systems without process groups the engine's own process, without a supervisor.
//!
//! The supervisor may be killed too, together with the arena. So on Linux the engine is started through a
//! second stage, [`become_engine`], which asks the system to kill it with the supervisor
//! (`PR_SET_PDEATHSIG`) and then runs the engine in its place. The signal comes when the *thread* that
//! started the process ends; of a supervisor that is the main one, which lives as long as it does. It
//! reaches the engine itself and not what that has started: of an engine behind a shell script, the shell.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The hidden word of the command line that makes this program a supervisor.
pub const WORD: &str = "supervise";

/// The hidden word of the command line that makes this program an engine's second stage.
pub const STAGE: &str = "supervise-engine";

/// The first word of what a supervisor writes that cannot start its engine; the number of the
/// system's error follows.
const NOT_STARTED: &str = "pentarch-supervisor:not-started";

/// The program that supervises.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Has engines supervised by this program, which must be `pentarch`: it is started as `supervise
/// ARENA PROGRAM ARGUMENT...`. Whoever uses the library without it has engines whose process groups
/// end with their players, but not with an arena that is killed.
pub fn supervise_with(program: PathBuf) {
    // The first one stays: engines of one run are all started in the same way.
    let _ = PROGRAM.set(program);
}

/// The running program, for [`supervise_with`].
pub fn this_program() -> io::Result<PathBuf> {
    // Right even after the file was replaced, as a new build does in the middle of a match.
    let link = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && link.exists() { Ok(link) } else { std::env::current_exe() }
}

/// The command that starts an engine, supervised if it can be.
pub(super) fn command(program: &str, arguments: &[String]) -> Command {
    let mut command = match PROGRAM.get().filter(|_| cfg!(unix)) {
        Some(supervisor) => {
            let mut command = Command::new(supervisor);
            #[cfg(unix)]
            std::os::unix::process::CommandExt::arg0(&mut command, "pentarch");
            command.arg(WORD).arg(std::process::id().to_string()).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.args(arguments);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// The reason for which the engine could not be started, if that is what its first line says.
pub(super) fn not_started(line: &str) -> Option<io::Error> {
    let number = line.strip_prefix(NOT_STARTED)?;
    let known = number.trim().parse().ok().map(io::Error::from_raw_os_error);
    Some(known.unwrap_or_else(|| io::Error::other("the system does not say why")))
}

#[cfg(unix)]
pub(super) use unix::ask_to_end;
#[cfg(unix)]
pub use unix::{become_engine, supervise};

#[cfg(unix)]
mod unix {
    use super::NOT_STARTED;
    use crate::procfs::descendants;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{
        Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getppid, kill_process,
        kill_process_group, setrlimit, wait,
    };
    use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
    use signal_hook::low_level::{emulate_default_handler, pipe};
    use std::convert::Infallible;
    use std::ffi::OsString;
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    /// How often a supervisor whose standard input has ended looks whether the arena is there: one
    /// that is may wait for the engine to leave by itself.
    const LOOK: Duration = Duration::from_millis(50);

    /// After this time processes that the system cannot end are given up.
    const HOPELESS: Duration = Duration::from_secs(3);

    /// Asks a supervisor to end its engine. Without one, ends the process group.
    pub(in super::super) fn ask_to_end(process: u32) {
        let signal = if super::PROGRAM.get().is_some() { Signal::TERM } else { Signal::KILL };
        if let Some(pid) = pid(process) {
            let _ = match signal {
                Signal::TERM => kill_process(pid, signal),
                signal => kill_process_group(pid, signal),
            };
        }
    }

    fn pid(process: u32) -> Option<Pid> {
        i32::try_from(process).ok().and_then(Pid::from_raw)
    }

    /// Runs an engine for the arena with this process number until one of the two ends, and leaves
    /// as the engine did.
    pub fn supervise(arena: u32, program: &OsString, arguments: &[OsString]) -> u8 {
        match Supervisor::start(arena, program, arguments) {
            Ok(mut supervisor) => {
                let status = supervisor.watch();
                supervisor.end_all();
                leave_like(status)
            }
            Err(error) => say_not_started(&error),
        }
    }

    /// Tells the arena why its engine could not be started. The exit code.
    fn say_not_started(error: &io::Error) -> u8 {
        let number = error.raw_os_error().unwrap_or_default();
        let _ = writeln!(io::stdout(), "{NOT_STARTED} {number}");
        127
    }

    /// Becomes an engine that is killed with the supervisor of this process number; returns only if that
    /// cannot be.
    pub fn become_engine(supervisor: u32, program: &OsString, arguments: &[OsString]) -> u8 {
        let Err(error) = try_to_become(supervisor, program, arguments);
        say_not_started(&error)
    }

    fn try_to_become(
        supervisor: u32,
        program: &OsString,
        arguments: &[OsString],
    ) -> io::Result<Infallible> {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // One that had ended before could not have sent the signal.
        if getppid() != pid(supervisor) {
            return Err(io::Error::from_raw_os_error(rustix::io::Errno::SRCH.raw_os_error()));
        }
        Err(Command::new(program).args(arguments).exec())
    }

    /// The command that starts the engine.
    fn engine_command(program: &OsString, arguments: &[OsString]) -> io::Result<Command> {
        let mut command = if cfg!(target_os = "linux") {
            let mut command = Command::new(super::this_program()?);
            command.arg0("pentarch").arg(super::STAGE).arg(std::process::id().to_string());
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(arguments).process_group(0);
        Ok(command)
    }

    struct Supervisor {
        arena: Option<Pid>,
        engine: Option<Pid>,
        /// Readable after each signal.
        signals: UnixStream,
        /// Whether the arena or anybody has asked for the end.
        asked: Arc<AtomicBool>,
        /// How the engine ended, as soon as it has.
        status: Option<WaitStatus>,
    }

    impl Supervisor {
        fn start(arena: u32, program: &OsString, arguments: &[OsString]) -> io::Result<Supervisor> {
            let (signals, wake) = UnixStream::pair()?;
            signals.set_nonblocking(true)?;
            let asked = Arc::new(AtomicBool::new(false));
            for signal in [SIGTERM, SIGINT, SIGHUP] {
                signal_hook::flag::register(signal, asked.clone())?;
                pipe::register(signal, wake.try_clone()?)?;
            }
            pipe::register(SIGCHLD, wake)?;
            #[cfg(target_os = "linux")]
            rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
            let child = engine_command(program, arguments)?.spawn()?;
            let engine = pid(child.id());
            let mut supervisor =
                Supervisor { arena: pid(arena), engine, signals, asked, status: None };
            // The engine alone holds the pipes, so that their ends mean its own.
            if let Err(error) = close_output() {
                supervisor.end_all();
                return Err(error);
            }
            Ok(supervisor)
        }

        /// Waits for the end of the engine or of the arena.
        fn watch(&mut self) -> Option<WaitStatus> {
            let mut input_open = true;
            loop {
                self.reap();
                let arena_gone = !input_open && getppid() != self.arena;
                if self.status.is_some() || arena_gone || self.asked.load(Ordering::Relaxed) {
                    return self.status;
                }
                input_open = self.sleep(input_open);
            }
        }

        /// Sleeps until something may have changed. Whether the input is still open.
        fn sleep(&mut self, input_open: bool) -> bool {
            let look = Timespec::try_from(LOOK).ok();
            let input = rustix::stdio::stdin();
            // That the other end of a pipe is closed is always told.
            let mut watched = [
                PollFd::new(&self.signals, PollFlags::IN),
                PollFd::new(&input, PollFlags::empty()),
            ];
            let (count, timeout) = if input_open { (2, None) } else { (1, look.as_ref()) };
            let _ = poll(&mut watched[..count], timeout);
            let closed = watched[1].revents().intersects(PollFlags::HUP | PollFlags::ERR);
            let mut bytes = [0; 64];
            while (&self.signals).read(&mut bytes).is_ok_and(|read| read == bytes.len()) {}
            input_open && !closed
        }

        /// Buries the dead: the engine, and orphans of its that were handed over. Whether any child
        /// is left.
        fn reap(&mut self) -> bool {
            loop {
                match wait(WaitOptions::NOHANG) {
                    Ok(Some((pid, status))) => {
                        if Some(pid) == self.engine {
                            self.status = Some(status);
                        }
                    }
                    Ok(None) => return true,
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => return false,
                }
            }
        }

        /// Ends the engine and all that it has started.
        fn end_all(&mut self) {
            let start = Instant::now();
            if let Some(engine) = self.engine {
                let _ = kill_process_group(engine, Signal::KILL);
            }
            // What is started meanwhile is found the next time.
            while start.elapsed() < HOPELESS {
                let left = descendants(std::process::id());
                for process in left.into_iter().filter_map(pid) {
                    let _ = kill_process(process, Signal::KILL);
                }
                if !self.reap() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Lets go of the pipes that the engine writes to.
    fn close_output() -> io::Result<()> {
        let nowhere = File::options().write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdout(&nowhere)?;
        rustix::stdio::dup2_stderr(&nowhere)?;
        Ok(())
    }

    /// The exit code of the engine, if it had one; a signal that ended it ends this process too.
    fn leave_like(status: Option<WaitStatus>) -> u8 {
        let Some(status) = status else { return 0 };
        if let Some(signal) = status.terminating_signal() {
            // The engine may have left its memory in a file; once is enough.
            let none = Rlimit { current: Some(0), maximum: Some(0) };
            let _ = setrlimit(Resource::Core, none);
            let _ = emulate_default_handler(signal);
            let _ = kill_process(rustix::process::getpid(), Signal::KILL);
        }
        status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
    }
}
