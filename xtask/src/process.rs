//! Running other programs, so that none outlives its time or us.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::children;
use crate::error::{Context, Failure, Result};

/// Runs to the end with our stdout and stderr; anything but success is a failure.
pub(crate) fn run(command: &mut Command) -> Result {
    let mut child = spawn(command.stdin(Stdio::null()))?;
    let status = child.0.wait().context(|| format!("waiting for {}", name(command)))?;
    check(command, status)
}

/// Runs to the end and gives its stdout; stderr is shown only with a failure.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().context(|| format!("starting {}", name(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("{} failed ({}):\n{}", name(command), output.status, stderr.trim_end())));
    }
    String::from_utf8(output.stdout).context(|| format!("reading the output of {}", name(command)))
}

/// Runs for at most `limit`, hands every line of its stdout and stderr to `on_line`, in the order written.
pub(crate) fn watch(
    command: &mut Command,
    limit: Duration,
    mut on_line: impl FnMut(&str) + Send + 'static,
) -> Result<ExitStatus> {
    let (reader, writer) = std::io::pipe().context(|| "making a pipe".into())?;
    let stderr = writer.try_clone().context(|| "making a pipe".into())?;
    let mut child = spawn(command.stdin(Stdio::null()).stdout(writer).stderr(stderr))?;
    // The command keeps its copies of the pipe's writing end, which would keep the reader waiting for ever.
    command.stdout(Stdio::null()).stderr(Stdio::null());

    let (drained, when_drained) = mpsc::channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(reader);
        let mut line = Vec::new();
        while matches!(lines.read_until(b'\n', &mut line), Ok(read) if read > 0) {
            on_line(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']));
            line.clear();
        }
        let _ = drained.send(());
    });

    let pid = child.0.id();
    let (ended, when_ended) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        let late = when_ended.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        if late {
            children::kill(pid);
        }
        late
    });
    let status = child.0.wait().context(|| format!("waiting for {}", name(command)))?;
    drop(ended);
    // A grandchild that was left behind may hold the pipe open; what the child itself wrote arrives at once.
    let _ = when_drained.recv_timeout(Duration::from_secs(5));
    if watchdog.join().unwrap_or(false) {
        return Err(Failure::new(format!("{} was ended after {} s", name(command), limit.as_secs())));
    }
    Ok(status)
}

/// A running child that is ended, with all it started, when this value is dropped or we are interrupted.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let pid = self.0.id();
        if let Ok(None) = self.0.try_wait() {
            children::kill(pid);
            // Reaps it: otherwise a zombie stays until we end.
            let _ = self.0.wait();
        }
        children::forget(pid);
    }
}

/// Starts `command` in a process group of its own.
pub(crate) fn spawn(command: &mut Command) -> Result<Running> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = command.spawn().context(|| format!("starting {}", name(command)))?;
    children::remember(child.id());
    Ok(Running(child))
}

pub(crate) fn check(command: &Command, status: ExitStatus) -> Result {
    if status.success() { Ok(()) } else { Err(Failure::new(format!("{} failed ({status})", name(command)))) }
}

/// `wasm-opt -Oz`, short enough for a message.
fn name(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program()).to_string_lossy();
    let arguments = command.get_args().take(2).map(|argument| argument.to_string_lossy());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_arrive_in_the_order_written() {
        let (sender, lines) = mpsc::channel();
        let mut command = Command::new("sh");
        command.args(["-c", "echo one; echo two >&2; echo three; exit 3"]);
        let status = watch(&mut command, Duration::from_secs(20), move |line| {
            let _ = sender.send(line.to_owned());
        });
        assert_eq!(status.unwrap().code(), Some(3));
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["one", "two", "three"]);
    }

    #[test]
    fn a_child_that_takes_too_long_is_ended_with_its_own_children() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & wait"]);
        let error = watch(&mut command, Duration::from_millis(50), |_| ()).unwrap_err();
        assert!(error.to_string().contains("was ended after"), "{error}");
    }

    #[test]
    fn a_failure_carries_what_the_program_said() {
        let error = output(Command::new("sh").args(["-c", "echo why >&2; exit 1"])).unwrap_err();
        assert!(error.to_string().contains("why"), "{error}");
    }
}
