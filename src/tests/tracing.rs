use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::sim::{client, lost, run, status};
use crate::{Retry, trace_event};

/// Writes each event into a line.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push_str(&format!(" {field}={value:?}"));
    }
}

impl Subscriber for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(format!("{} {}", event.metadata().level(), event.metadata().target()));
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn events_are_emitted_with_their_fields_and_without_secrets() {
    let lines = Lines::default();
    let api = client(vec![lost(), status(404)])
        .name("shop")
        .header("Authorization", "S3CRET")
        .retry(Retry::new().delay(Duration::ZERO))
        .redact_url(|url| url.replace("S3CRET", "..."))
        .on_event(trace_event)
        .build()
        .unwrap();
    tracing::subscriber::with_default(lines.clone(), || run(api.get("S3CRET?S3CRET").operation("list").send()))
        .unwrap_err();
    let lines = lines.0.lock().unwrap();
    assert!(
        lines.iter().all(|line| line.contains(" steadfetch ") && line.contains("dependency=\"shop\"")),
        "{lines:#?}"
    );
    assert!(lines.iter().all(|line| line.contains("operation=\"list\"") && !line.contains("S3CRET")), "{lines:#?}");
    let starts = [
        ("DEBUG", "message=call started", "http.request.method=\"GET\" url.full=\"https://api.test/v1/...\""),
        ("DEBUG", "message=attempt started", "attempt=1"),
        ("DEBUG", "message=attempt ended", "error.type=\"NETWORK_ERROR\""),
        ("WARN", "message=retry decided", "retry_count=1"),
        ("DEBUG", "message=attempt started", "attempt=2"),
        ("DEBUG", "message=attempt ended", "http.response.status_code=404"),
        ("WARN", "message=call failed", "error.type=\"HTTP_ERROR\""),
    ];
    assert_eq!(lines.len(), starts.len(), "{lines:#?}");
    for (line, (level, message, field)) in lines.iter().zip(starts) {
        assert!(line.starts_with(level) && line.contains(message) && line.contains(field), "{line}");
    }
}
