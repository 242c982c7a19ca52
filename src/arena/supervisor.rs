//! A process between the arena and each engine that leaves no process of the engine behind.
//!
//! It starts the engine in a process group of its own, and kills the engine and its descendants
//! when the engine exits, when the arena asks for it (SIGTERM), or when the arena is gone, however
//! that was killed. Only the engine holds the arena's pipes: the supervisor detects the end of the
//! arena by the closed other end of standard input and by the change of its parent, both of which
//! happen even if the arena is killed.
//!
//! On Linux the supervisor adopts orphaned descendants of the engine (`PR_SET_CHILD_SUBREAPER`), so
//! that a process that left its group and its parent is found as well. On other Unix systems only
//! the group is killed; on systems without process groups only the engine's own process, without a
//! supervisor.
//!
//! The supervisor may be killed too, together with the arena. Therefore on Linux the engine is
//! started through a second stage, [`become_engine`], which asks the system to kill it with the
//! supervisor (`PR_SET_PDEATHSIG`) and then executes the engine. The signal is sent when the
//! *thread* that started the process ends; in a supervisor that is the main thread, which lives as
//! long as the process. The signal reaches the engine itself and not its children: of an engine
//! behind a shell script, the shell.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The hidden subcommand that makes this program a supervisor.
pub const SUPERVISE_COMMAND: &str = "supervise";

/// The hidden subcommand that makes this program the second stage of an engine.
pub const ENGINE_COMMAND: &str = "supervise-engine";

/// The first word that a supervisor writes if it cannot start its engine; the error number of the
/// system follows.
const NOT_STARTED: &str = "pentarch-supervisor:not-started";

/// The program that acts as supervisor.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that supervises engines, which must be `pentarch`: it is started as `supervise
/// ARENA PROGRAM ARGUMENT...`. Without it, the process groups of engines end with their players,
/// but not with an arena that is killed.
pub fn supervise_with(program: PathBuf) {
    // The first call wins: all engines of a run are started in the same way.
    let _ = PROGRAM.set(program);
}

/// The path of the running program, for [`supervise_with`].
pub fn current_program() -> io::Result<PathBuf> {
    // The link stays valid after the file was replaced, as by a new build during a match.
    let link = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && link.exists() { Ok(link) } else { std::env::current_exe() }
}

/// The command that starts an engine, with a supervisor if possible.
pub(crate) fn command(program: &str, arguments: &[String]) -> Command {
    let mut command = match PROGRAM.get().filter(|_| cfg!(unix)) {
        Some(supervisor) => {
            let mut command = Command::new(supervisor);
            #[cfg(unix)]
            std::os::unix::process::CommandExt::arg0(&mut command, "pentarch");
            command.arg(SUPERVISE_COMMAND).arg(std::process::id().to_string()).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.args(arguments);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// The error if the first line of the output reports that the engine could not be started.
pub(crate) fn not_started(line: &str) -> Option<io::Error> {
    let number = line.strip_prefix(NOT_STARTED)?;
    let known = number.trim().parse().ok().map(io::Error::from_raw_os_error);
    Some(known.unwrap_or_else(|| io::Error::other("unknown error")))
}

#[cfg(unix)]
pub(crate) use unix::terminate;
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

    /// How often a supervisor whose standard input was closed checks whether the arena still
    /// exists: the arena may be waiting for the engine to exit.
    const PARENT_POLL: Duration = Duration::from_millis(50);

    /// How long to try to kill processes.
    const KILL_TIMEOUT: Duration = Duration::from_secs(3);

    /// Asks a supervisor to end its engine. Without a supervisor, kills the process group.
    pub(crate) fn terminate(process: u32) {
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

    /// Runs an engine until it exits or the arena with this process id is gone; returns the
    /// engine's exit code.
    pub fn supervise(arena: u32, program: &OsString, arguments: &[OsString]) -> u8 {
        match Supervisor::start(arena, program, arguments) {
            Ok(mut supervisor) => {
                let status = supervisor.watch();
                supervisor.end_all();
                exit_like(status)
            }
            Err(error) => report_not_started(&error),
        }
    }

    /// Reports to the arena why its engine could not be started; returns the exit code.
    fn report_not_started(error: &io::Error) -> u8 {
        let number = error.raw_os_error().unwrap_or_default();
        let _ = writeln!(io::stdout(), "{NOT_STARTED} {number}");
        127
    }

    /// Executes an engine that is killed with the supervisor of this process id; returns only on
    /// failure.
    pub fn become_engine(supervisor: u32, program: &OsString, arguments: &[OsString]) -> u8 {
        let Err(error) = exec_engine(supervisor, program, arguments);
        report_not_started(&error)
    }

    fn exec_engine(
        supervisor: u32,
        program: &OsString,
        arguments: &[OsString],
    ) -> io::Result<Infallible> {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // A supervisor that ended before could not have sent the signal.
        if getppid() != pid(supervisor) {
            return Err(io::Error::from_raw_os_error(rustix::io::Errno::SRCH.raw_os_error()));
        }
        Err(Command::new(program).args(arguments).exec())
    }

    /// The command that starts the engine.
    fn engine_command(program: &OsString, arguments: &[OsString]) -> io::Result<Command> {
        let mut command = if cfg!(target_os = "linux") {
            let mut command = Command::new(super::current_program()?);
            command.arg0("pentarch").arg(super::ENGINE_COMMAND).arg(std::process::id().to_string());
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
        /// Whether a signal asked for the end.
        asked: Arc<AtomicBool>,
        /// The exit status of the engine, once it has exited.
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
            // Only the engine holds the pipes, so that they are closed when it exits.
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

        /// Sleeps until something may have changed; returns whether the input is still open.
        fn sleep(&mut self, input_open: bool) -> bool {
            let look = Timespec::try_from(PARENT_POLL).ok();
            let input = rustix::stdio::stdin();
            // Poll always reports that the other end of a pipe is closed.
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

        /// Reaps exited children: the engine and its re-parented descendants. Returns whether any
        /// child is left.
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

        /// Kills the engine and its descendants.
        fn end_all(&mut self) {
            let start = Instant::now();
            if let Some(engine) = self.engine {
                let _ = kill_process_group(engine, Signal::KILL);
            }
            // Processes started meanwhile are found in the next iteration.
            while start.elapsed() < KILL_TIMEOUT {
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

    /// Releases the pipes that the engine writes to.
    fn close_output() -> io::Result<()> {
        let nowhere = File::options().write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdout(&nowhere)?;
        rustix::stdio::dup2_stderr(&nowhere)?;
        Ok(())
    }

    /// The exit code of the engine. If a signal ended the engine, this process ends by the same
    /// signal.
    fn exit_like(status: Option<WaitStatus>) -> u8 {
        let Some(status) = status else { return 0 };
        if let Some(signal) = status.terminating_signal() {
            // If the signal makes the supervisor write a core file, it would overwrite that of the engine.
            let none = Rlimit { current: Some(0), maximum: Some(0) };
            let _ = setrlimit(Resource::Core, none);
            let _ = emulate_default_handler(signal);
            let _ = kill_process(rustix::process::getpid(), Signal::KILL);
        }
        status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
    }
}
