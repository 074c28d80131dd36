//! The fault server as a process: one line of JSON when it is ready, then it serves until it is stopped.

mod args;

use std::io::Write as _;
use std::process::ExitCode;

use steadfetch_fault_server::Server;
use tokio::io::AsyncReadExt as _;

use crate::args::{Args, USAGE};

fn main() -> ExitCode {
    let args = match Args::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(error) => {
            eprintln!("{error}\nusage: {USAGE}");
            return ExitCode::from(2);
        }
    };
    // One thread: what happens in which order does not depend on the number of cores.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let result = runtime.and_then(|runtime| {
        let result = runtime.block_on(run(args));
        // A blocking read of stdin must not keep the process.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> std::io::Result<()> {
    let server = Server::bind(args.port, args.statics).await?;
    let ready = serde_json::json!({ "control": server.control(), "pid": std::process::id() });
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{ready}")?;
    stdout.flush()?;
    tokio::select! {
        () = server.run() => {}
        () = parent_gone(), if args.parent_watch => {}
    }
    Ok(())
}

/// Ends when stdin does: the parent holds the other end, and so cannot leave us behind even if it is killed.
async fn parent_gone() {
    let mut stdin = tokio::io::stdin();
    let mut ignored = [0; 64];
    while matches!(stdin.read(&mut ignored).await, Ok(1..)) {}
}
