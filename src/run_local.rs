use std::future::Future;

/// Runs calls where a framework asks for a future that is `Send`, in a page and on a server with several threads.
///
/// The future of a call stays in one thread. In a page there is only one, so what the function gives is polled there. On a
/// server one thread of the process runs the futures of all calls, and the future that is returned waits for their results; so
/// the limits of a [`Queue`](crate::Queue) or [`RetryBudget`](crate::RetryBudget) are those of the whole process. Dropped, it drops
/// the other one, and with it the request. A panic is handed on.
///
/// ```
/// use steadfetch::{Client, run_local};
///
/// fn asks_for_send<T: Send>(future: T) -> T {
///     future
/// }
///
/// # async fn page(api: Client) -> Result<(), steadfetch::Error> {
/// let text = asks_for_send(run_local(move || async move {
///     // What is read in here is done there: give back the value, not the response.
///     api.get("greeting").send().await?.text().await
/// }))
/// .await?;
/// # let _ = text;
/// # Ok(())
/// # }
/// ```
pub fn run_local<T, F>(make: impl FnOnce() -> F + Send + 'static) -> impl Future<Output = T> + Send
where
    T: Send + 'static,
    F: Future<Output = T> + 'static,
{
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return send_wrapper::SendWrapper::new(make());
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    worker::run(make)
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod worker {
    use std::future::{Future, poll_fn};
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::pin::Pin;
    use std::sync::OnceLock;
    use std::task::Poll;
    use std::thread;

    use tokio::runtime::Builder;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio::sync::oneshot;
    use tokio::task::{LocalSet, spawn_local};

    type Job = Box<dyn FnOnce() + Send>;

    /// The thread that runs the futures; `None` if it could not be started.
    static WORKER: OnceLock<Option<UnboundedSender<Job>>> = OnceLock::new();

    fn work(mut jobs: UnboundedReceiver<Job>) {
        let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
        LocalSet::new().block_on(&runtime, async move {
            while let Some(job) = jobs.recv().await {
                job();
            }
        });
    }

    fn start() -> Option<UnboundedSender<Job>> {
        let (sender, jobs) = unbounded_channel();
        thread::Builder::new().name("steadfetch".to_owned()).spawn(move || work(jobs)).ok()?;
        Some(sender)
    }

    pub(super) async fn run<T, F>(make: impl FnOnce() -> F + Send + 'static) -> T
    where
        T: Send + 'static,
        F: Future<Output = T> + 'static,
    {
        let (mut sender, receiver) = oneshot::channel();
        let job = move || {
            spawn_local(async move {
                let mut future: Option<Pin<Box<F>>> = None;
                let mut make = Some(make);
                let ended = poll_fn(|cx| {
                    if sender.poll_closed(cx).is_ready() {
                        // Nobody waits any more.
                        return Poll::Ready(None);
                    }
                    let step = catch_unwind(AssertUnwindSafe(|| {
                        if let Some(make) = make.take() {
                            future = Some(Box::pin(make()));
                        }
                        future.as_mut().map_or(Poll::Pending, |future| future.as_mut().poll(cx))
                    }));
                    match step {
                        Ok(poll) => poll.map(|value| Some(Ok(value))),
                        Err(panic) => Poll::Ready(Some(Err(panic))),
                    }
                })
                .await;
                if let Some(result) = ended {
                    let _ = sender.send(result);
                }
            });
        };
        let sent = WORKER.get_or_init(start).as_ref().is_some_and(|worker| worker.send(Box::new(job)).is_ok());
        match receiver.await {
            Ok(Ok(value)) => value,
            Ok(Err(panic)) => resume_unwind(panic),
            // The job was dropped.
            Err(_) if sent => resume_unwind(Box::new("the thread of run_local has ended")),
            Err(_) => resume_unwind(Box::new("the thread of run_local could not be started")),
        }
    }
}
