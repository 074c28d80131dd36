use std::borrow::Cow;
use std::future::poll_fn;
use std::rc::Rc;

use steadfetch_core::engine::{Action, Demand, Event, Failure, Head, Question};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::Millis;

use super::call::{put, take};
use super::{Call, Driver, Extra, News, Notes, Running};
use crate::body::Body;
use crate::error::{Attempt, Error};
use crate::options::{duration, millis};
use crate::platform::{Incoming, Rejection, hint_of};

/// How much of an error's body is kept for [`Error::data`].
const DATA_BYTES: usize = 64 * 1024;

impl Call {
    #[inline(never)]
    pub(super) fn perform(self: &Rc<Self>, driver: &Rc<Driver>, action: Action) {
        match action {
            Action::Prepare { attempt, .. } => {
                if driver.platform.is_blocked(&self.request, self.sent.get()) {
                    self.note(Notes { hint: Some("csp"), ..Notes::default() });
                    driver.event(self, attempt, Event::Stop(RetryStopped::Policy));
                } else {
                    self.look_at_files(driver, attempt);
                }
            }
            Action::Send { attempt, left, resend, .. } => {
                self.resend.set(resend);
                self.send(driver, attempt, left);
            }
            Action::Queued { .. } => {
                self.phase.set(Some(Phase::Queue));
                self.tell(driver, News::Queued);
            }
            Action::Circuit { state, .. } => {
                self.tell(driver, News::Circuit(state));
            }
            Action::Abort { attempt, .. } => {
                if self.live.get() == Some(attempt) {
                    self.live.set(None);
                    if let Some(abort) = take(&self.abort) {
                        abort.abort();
                    }
                }
            }
            Action::Discard { attempt, .. } => {
                if self.live.get() == Some(attempt) {
                    self.live.set(None);
                    if let Some(incoming) = take(&self.incoming) {
                        incoming.cancel();
                    }
                    put(&self.abort, None);
                }
            }
            Action::Ask { attempt, question, value, failure, .. } => {
                let running = Running::Call(self.clone());
                let answer = driver.call_back(running, || self.ask(question, value, failure.map(|failure| *failure)));
                driver.event(self, attempt, Event::Answer(answer));
            }
            Action::Retry { wait, code, .. } => {
                self.phase.set(Some(Phase::Backoff));
                self.retries.set(self.retries.get().saturating_add(1));
                self.tell(driver, News::Retry(wait, code));
            }
            Action::AttemptEnd { attempt, .. } => {
                self.phase.set(Some(attempt.phase));
                if let Ok(abort) = self.abort.try_borrow()
                    && let Some(abort) = &*abort
                {
                    abort.sent();
                }
                let attempt = Attempt::of(attempt);
                if let Ok(mut record) = self.record.try_borrow_mut() {
                    record.push(attempt);
                }
                self.tell(driver, News::AttemptEnd(attempt, self.headers_after.take()));
            }
            Action::Respond { attempts, elapsed, stopped, .. } => {
                self.phase.set(Some(Phase::Body));
                driver.hold(self, false);
                self.responded.set(Some((attempts, elapsed, stopped)));
                self.wake();
            }
            Action::Collect { .. } => self.collect(driver),
            Action::Probe { .. } => {
                let taken = self
                    .incoming
                    .try_borrow()
                    .is_ok_and(|incoming| incoming.as_ref().is_some_and(|incoming| incoming.is_used()));
                driver.event(self, self.attempt(), Event::Probed { taken });
            }
            Action::Abandon { failure, .. } => self.abandon(*failure),
            Action::BeforeError { .. } => driver.event(self, self.attempt(), Event::Hooked),
            // No call of this driver shares its request.
            Action::Share { .. } => {}
            Action::LookUp { .. } | Action::Auth { .. } | Action::WatchOnline(_) | Action::End { .. } => {}
        }
    }

    /// Files change and go: each is looked at before it is sent again.
    #[inline(never)]
    fn look_at_files(self: &Rc<Self>, driver: &Rc<Driver>, attempt: u32) {
        let Some(look) = self.request.body.as_ref().and_then(Body::look_at) else {
            return driver.event(self, attempt, Event::Ready);
        };
        let (call, driver_then) = (self.clone(), driver.clone());
        driver.platform.spawn(async move {
            let event = if look.await {
                Event::Ready
            } else {
                let detail = Some("the file cannot be read any more".to_owned());
                call.note(Notes { hint: Some("body-changed"), detail, ..Notes::default() });
                Event::Refused(ErrorCode::InvalidRequest)
            };
            driver_then.event(&call, attempt, event);
        });
    }

    #[inline(never)]
    fn send(self: &Rc<Self>, driver: &Rc<Driver>, attempt: u32, left: Millis) {
        // Another thread may have closed the client: here nobody has heard of it yet.
        if self.view.is_closed() {
            self.abort();
        }
        if self.is_given_up() {
            // Since the engine has said so: its scope has failed with another call.
            driver.not_sent(self, attempt);
            return;
        }
        self.attempts.set(attempt);
        self.live.set(Some(attempt));
        self.sent.set(driver.platform.now());
        self.headers_after.set(None);
        self.note(Notes::default());
        self.phase.set(Some(Phase::Headers));
        self.tell(driver, News::AttemptStart);
        if self.is_given_up() {
            // By the observer.
            driver.not_sent(self, attempt);
            return;
        }
        let credential = self.authorization.as_ref().and_then(|authorization| authorization.credential());
        let extra = Extra { left, credential };
        match driver.platform.fetch(&self.request, &extra) {
            Err(rejection) => self.rejected(driver, attempt, rejection, &extra),
            Ok((abort, exchange)) => {
                put(&self.abort, Some(abort));
                let (call, driver_then) = (self.clone(), driver.clone());
                driver.platform.spawn(async move {
                    match exchange.await {
                        Ok(incoming) => call.arrived(&driver_then, attempt, incoming),
                        Err(rejection) => call.rejected(&driver_then, attempt, rejection, &extra),
                    }
                });
            }
        }
    }

    #[inline(never)]
    fn rejected(self: &Rc<Self>, driver: &Driver, attempt: u32, rejection: Rejection, extra: &Extra) {
        let event = match rejection {
            Rejection::Failed => {
                self.note(hint_of(&self.request, extra));
                Event::Failed
            }
            Rejection::Unconnected => Event::Unconnected,
            Rejection::Refused(code, detail) => {
                self.note(Notes { detail: detail.map(Cow::into_owned), ..Notes::default() });
                Event::Refused(code)
            }
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Rejection::Faulty(detail) => {
                self.note(Notes { detail: Some(detail.into_owned()), ..Notes::default() });
                Event::CallbackFailed
            }
        };
        driver.event(self, attempt, event);
    }

    #[inline(never)]
    fn arrived(self: &Rc<Self>, driver: &Rc<Driver>, attempt: u32, incoming: Incoming) {
        if self.live.get() != Some(attempt) {
            // It was aborted, and a fetch that does not heed its signal answered all the same.
            incoming.cancel();
            return;
        }
        self.headers_after.set(Some(driver.platform.now().since(self.sent.get())));
        let status = incoming.status();
        let throws = || status >= 400 && self.throw.throws(status);
        let throw = if self.throw.asks() { driver.call_back(Running::Call(self.clone()), throws) } else { throws() };
        let bodiless = !incoming.has_body(&self.request.method);
        let head = Head {
            status,
            length: if bodiless { None } else { incoming.content_length() },
            retry_after: if status >= 400 { incoming.retry_after(driver.platform.wall()) } else { None },
            retried: self.statuses.retried.contains(status),
            heeded: self.statuses.heeded.contains(status),
            demand: Demand::None,
            throw,
            bodiless,
            unauthorized: false,
        };
        let hint = if self.gate.is_key_in_use(status) {
            Some("in-progress")
        } else if head.throw && head.heeded && incoming.hides_retry_after() {
            Some("retry-after-hidden")
        } else {
            None
        };
        if hint.is_some() {
            self.note(Notes { hint, ..Notes::default() });
        }
        put(&self.incoming, Some(Rc::new(incoming)));
        match &self.authorization {
            Some(authorization) if status >= 400 => authorization.judge(driver, self, attempt, head),
            _ => driver.event(self, attempt, Event::Head(head)),
        }
    }

    #[inline(never)]
    fn ask(&self, question: Question, value: u64, failure: Option<Failure>) -> Option<f64> {
        match question {
            Question::ShouldRetry => {
                let (ask, failure) = (self.observers.should_retry.as_ref()?, failure?);
                let number = u32::try_from(value).unwrap_or(u32::MAX);
                ask(&self.noted(Error::of(failure)), number).map(|retry| if retry { 1.0 } else { 0.0 })
            }
            Question::Delay => {
                let delay = self.observers.delay.as_ref()?;
                Some(millis(delay(u32::try_from(value).unwrap_or(u32::MAX))).to_f64())
            }
            Question::Jitter => {
                let jitter = self.observers.jitter.as_ref()?;
                Some(millis(jitter(duration(Millis(value)))).to_f64())
            }
        }
    }

    /// Reads the start of an error's body.
    #[inline(never)]
    fn collect(self: &Rc<Self>, driver: &Rc<Driver>) {
        let Some(incoming) = take(&self.incoming) else { return };
        let (call, driver_then, attempt) = (self.clone(), driver.clone(), self.attempt());
        driver.platform.spawn(async move {
            let mut data = Vec::new();
            let end = loop {
                match poll_fn(|cx| incoming.poll_chunk(cx)).await {
                    None => break Event::BodyEnd(Ok(())),
                    Some(Err(_)) => break Event::Failed,
                    Some(Ok(chunk)) => {
                        // What is above that is not kept, and meets no limit.
                        let kept = chunk.len().min(DATA_BYTES.saturating_sub(data.len()));
                        data.extend(chunk.into_iter().take(kept));
                        driver_then.event(&call, attempt, Event::Chunk { bytes: kept as u64, more: true });
                        if call.ended().is_some() {
                            // It has met a limit.
                            return incoming.cancel();
                        }
                        if data.len() >= DATA_BYTES {
                            incoming.cancel();
                            break Event::BodyEnd(Ok(()));
                        }
                    }
                }
            };
            if !matches!(end, Event::Failed) && !data.is_empty() {
                let kind = incoming.header("content-type").unwrap_or_default();
                call.note_data(crate::text::decode_as(&data, &kind));
            }
            driver_then.event(&call, attempt, end);
        });
    }
}
