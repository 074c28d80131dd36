//! The parser of event streams: the vectors that every driver's parser follows, any cut of any stream, and a plain model of the standard.

use proptest::prelude::*;
use serde_json::{Value, json};
use steadfetch_core::sse::{Event, Parser, TooLarge};
use steadfetch_core::time::Millis;

const VECTORS: &str = include_str!("../../tests/vectors/event-streams.json");

/// The events of the stream that comes in these chunks, and the parser after it.
fn parse<'a>(limit: usize, chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Event>, Result<(), TooLarge>, Parser) {
    let mut parser = Parser::new(limit, "");
    let mut events = Vec::new();
    let mut result = Ok(());
    for chunk in chunks {
        result = parser.push(chunk, &mut |event| events.push(event));
    }
    (events, result, parser)
}

fn shown(event: &Event) -> Value {
    let mut shown = json!({ "event": event.event, "data": event.data, "id": event.id });
    if let Some(retry) = event.retry {
        shown["retry"] = retry.0.into();
    }
    shown
}

#[test]
fn l02_l04_every_vector_holds_at_every_cut() {
    let file: Value = serde_json::from_str(VECTORS).expect("JSON");
    for vector in file["vectors"].as_array().expect("a list") {
        let text = vector["text"].as_str().expect("a text").as_bytes();
        let limit = vector["limit"].as_u64().map_or(Parser::MAX_EVENT_BYTES, |limit| limit as usize);
        for at in 0..=text.len() {
            let (events, result, parser) = parse(limit, [&text[..at], &text[at..]]);
            let events: Vec<Value> = events.iter().map(shown).collect();
            assert_eq!(json!(events), vector["events"], "{vector} cut at {at}");
            assert_eq!(result.is_err(), vector["tooLarge"] == true, "{vector} cut at {at}");
            if let Some(id) = vector["lastEventId"].as_str() {
                assert_eq!(parser.last_event_id(), id, "{vector} cut at {at}");
            }
            if let Some(count) = vector["comments"].as_u64() {
                assert_eq!(parser.comments(), count, "{vector} cut at {at}");
            }
            if let Some(time) = vector["retry"].as_u64() {
                assert_eq!(parser.reconnection_time(), Some(Millis(time)), "{vector} cut at {at}");
            }
        }
    }
}

#[test]
fn a_stream_goes_on_from_the_id_it_is_given() {
    let mut parser = Parser::new(100, "41");
    let mut ids = Vec::new();
    assert_eq!(parser.last_event_id(), "41");
    parser.push(b"data\n\nid: 42\ndata\n\n", &mut |event| ids.push(event.id)).expect("small");
    assert_eq!(ids, ["41", "42"]);
}

#[test]
fn l09_a_line_without_end_is_refused_with_the_chunk_that_exceeds_the_limit_and_from_then_on() {
    let mut parser = Parser::new(100_000, "");
    let chunk = [b'x'; 40_000];
    assert_eq!(parser.push(&chunk, &mut |_| ()), Ok(()));
    assert_eq!(parser.push(&chunk, &mut |_| ()), Ok(()));
    assert_eq!(parser.push(&chunk, &mut |_| ()), Err(TooLarge { limit: 100_000 }));
    let mut count = 0;
    assert!(parser.push(b"\n\ndata: 1\n\n", &mut |_| count += 1).is_err());
    assert_eq!(count, 0);
}

#[test]
fn comments_without_end_are_no_event_that_grows() {
    let mut parser = Parser::new(16, "");
    for _ in 0..1_000 {
        parser.push(b": alive\n", &mut |_| ()).expect("nothing is kept of a comment");
    }
    assert_eq!(parser.comments(), 1_000);
}

/// The standard's steps, word for word, over the decoded stream.
fn model(bytes: &[u8]) -> Vec<Event> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<&str> = text.split('\n').collect();
    // The rest after the last end of a line is no line.
    lines.pop();
    let (mut events, mut data, mut id, mut event, mut retry) =
        (Vec::new(), String::new(), String::new(), String::new(), None);
    for line in lines {
        if line.is_empty() {
            if !data.is_empty() {
                data.pop();
                let event = if event.is_empty() { "message".to_owned() } else { event.clone() };
                events.push(Event { event, data: data.clone(), id: id.clone(), retry });
            }
            data.clear();
            event.clear();
            retry = None;
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut event),
            "data" => {
                data += value;
                data += "\n";
            }
            "id" if !value.contains('\0') => value.clone_into(&mut id),
            "retry" if value.parse::<u64>().is_ok() && !value.starts_with('+') => {
                retry = value.parse().ok().map(Millis)
            }
            _ => {}
        }
    }
    events
}

/// Streams that are mostly made of the words of the format.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        6 => prop::sample::select(vec![
            &b"data"[..], b"data: ", b"data:", b"event: ", b"id: ", b"id", b"retry: ", b"retry:+", b": ", b":", b" ", b"12", b"x", b"\0",
        ])
        .prop_map(<[u8]>::to_vec),
        6 => prop::sample::select(vec![&b"\n"[..], b"\r", b"\r\n", b"\n\n", b"\r\n\r\n"]).prop_map(<[u8]>::to_vec),
        // Whole characters, halves of them, and byte order marks.
        2 => prop::sample::select(vec![
            &b"\xef\xbb\xbf"[..], b"\xef", b"\xef\xbb", b"\xe2\x82\xac", b"\xe2\x82", b"\xf0\x9f\x98\x80", b"\xf0\x9f", b"\x80", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80",
        ])
        .prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(word, 0..60).prop_map(|words| words.concat())
}

fn chunks<'a>(mut bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut chunks = Vec::new();
    for cut in cuts {
        let (chunk, rest) = bytes.split_at((*cut).min(bytes.len()));
        chunks.push(chunk);
        bytes = rest;
    }
    chunks.push(bytes);
    chunks
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_stream_has_the_events_of_the_standards_own_steps(bytes in stream()) {
        prop_assert_eq!(parse(usize::MAX, [&bytes[..]]).0, model(&bytes));
    }

    #[test]
    fn any_cut_of_any_stream_has_the_events_of_the_whole_one(bytes in stream(), cuts in prop::collection::vec(0_usize..5, 0..80), limit in 1_usize..120) {
        for limit in [limit, usize::MAX] {
            let (events, result, parser) = parse(limit, [&bytes[..]]);
            let (cut_events, cut_result, cut_parser) = parse(limit, chunks(&bytes, &cuts));
            prop_assert_eq!(cut_events, events);
            prop_assert_eq!(cut_result, result);
            prop_assert_eq!(cut_parser.last_event_id(), parser.last_event_id());
            prop_assert_eq!((cut_parser.comments(), cut_parser.reconnection_time()), (parser.comments(), parser.reconnection_time()));
        }
    }
}
