//! `Retry-After` and the reset headers of rate limits.
//!
//! RFC 9110, section 10.2.3: `Retry-After` is a whole number of seconds or an HTTP-date (section 5.6.7: IMF-fixdate and
//! the two obsolete forms). Everything else is ignored, so that a garbled header means the ordinary backoff, never a
//! wait of zero or of years. A date is counted from the answer's own `Date` where that is readable, so that a wrong
//! client clock does not matter.

use crate::time::Millis;

/// A reset header counts as seconds since 1970 from this value on (9 September 2001); no server means a delay of
/// 31 years.
const EPOCH_FROM: u64 = 1_000_000_000;
/// The largest number of milliseconds that a JavaScript number holds exactly.
const MOST: u64 = (1 << 53) - 1;
const DAYS: [&[u8]; 7] = [b"Monday", b"Tuesday", b"Wednesday", b"Thursday", b"Friday", b"Saturday", b"Sunday"];
const MONTHS: &[u8; 36] = b"JanFebMarAprMayJunJulAugSepOctNovDec";

/// What kind of header the value came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Source {
    /// A delay or a date: `Retry-After`, `X-RateLimit-Retry-After`.
    Delay = 0,
    /// A delay, a date or seconds since 1970: `RateLimit-Reset`, `X-RateLimit-Reset`, `X-Rate-Limit-Reset`.
    Reset = 1,
}

/// The headers that can say how long to wait, first match wins. A `Retry-After` that is there but unreadable still
/// hides the others: it is the server's own word.
pub const HEADERS: [(&str, Source); 5] = [
    ("retry-after", Source::Delay),
    ("ratelimit-reset", Source::Reset),
    ("x-ratelimit-retry-after", Source::Delay),
    ("x-ratelimit-reset", Source::Reset),
    ("x-rate-limit-reset", Source::Reset),
];

/// The wait that a header asks for. `date` is the response's `Date` header, `wall` the client's clock in milliseconds
/// since 1970, used where there is no readable `Date`.
#[must_use]
pub fn parse(value: &[u8], source: Source, date: Option<&[u8]>, wall: u64) -> Option<Millis> {
    let value = value.trim_ascii();
    let now = || date.and_then(|date| http_date(date.trim_ascii(), wall)).unwrap_or(wall);
    let wait = match whole_number(value) {
        Some(seconds) if source == Source::Reset && seconds >= EPOCH_FROM => {
            seconds.saturating_mul(1_000).saturating_sub(now())
        }
        Some(seconds) => seconds.saturating_mul(1_000),
        None => http_date(value, wall)?.saturating_sub(now()),
    };
    Some(Millis(wait.min(MOST)))
}

/// Decimal digits and nothing else; too many saturate.
fn whole_number(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |number, byte| {
        byte.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(u64::from(byte.wrapping_sub(b'0'))))
    })
}

/// Milliseconds since 1970 of an HTTP-date in any of its three forms.
fn http_date(text: &[u8], wall: u64) -> Option<u64> {
    let mut rest = Cursor(text);
    let day_name = rest.word()?;
    let full = DAYS.contains(&day_name);
    if !full && !DAYS.iter().any(|day| day.get(..3) == Some(day_name)) {
        return None;
    }
    let (year, month, day, time);
    if rest.eat(b", ") {
        day = rest.digits(2)?;
        if full {
            // Sunday, 06-Nov-94 08:49:37 GMT
            rest.eat(b"-").then_some(())?;
            month = rest.month()?;
            rest.eat(b"-").then_some(())?;
            year = full_year(rest.digits(2)?, wall);
        } else {
            // Sun, 06 Nov 1994 08:49:37 GMT
            rest.eat(b" ").then_some(())?;
            month = rest.month()?;
            rest.eat(b" ").then_some(())?;
            year = rest.digits(4)?;
        }
        rest.eat(b" ").then_some(())?;
        time = rest.time()?;
        rest.eat(b" GMT").then_some(())?;
    } else {
        // Sun Nov  6 08:49:37 1994
        if full {
            return None;
        }
        rest.eat(b" ").then_some(())?;
        month = rest.month()?;
        rest.eat(b" ").then_some(())?;
        day = if rest.eat(b" ") { rest.digits(1)? } else { rest.digits(2)? };
        rest.eat(b" ").then_some(())?;
        time = rest.time()?;
        rest.eat(b" ").then_some(())?;
        year = rest.digits(4)?;
    }
    if !rest.0.is_empty() || day == 0 || day > days_in(month, year) {
        return None;
    }
    Some(days_since_1970(year, month, day)?.saturating_mul(86_400).saturating_add(time).saturating_mul(1_000))
}

/// A two-digit year is the latest one that is not more than 50 years in the future (RFC 9110, section 5.6.7).
fn full_year(short: u64, wall: u64) -> u64 {
    // Good to a day or two, which is all that a horizon of 50 years needs.
    let this_year = wall.saturating_div(31_556_952_000).saturating_add(1970);
    let century = this_year.saturating_sub(this_year.checked_rem(100).unwrap_or(0));
    let near = century.saturating_add(short);
    if near > this_year.saturating_add(50) {
        near.saturating_sub(100)
    } else if near.saturating_add(50) <= this_year {
        near.saturating_add(100)
    } else {
        near
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Months count from 0.
fn days_in(month: u64, year: u64) -> u64 {
    match month {
        1 => 28_u64.saturating_add(u64::from(is_leap(year))),
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    }
}

fn days_since_1970(year: u64, month: u64, day: u64) -> Option<u64> {
    if year < 1970 {
        return Some(0);
    }
    let leap_days = |before: u64| {
        let last = before.saturating_sub(1);
        last.saturating_div(4).saturating_sub(last.saturating_div(100)).saturating_add(last.saturating_div(400))
    };
    let years =
        year.saturating_sub(1970).saturating_mul(365).saturating_add(leap_days(year).saturating_sub(leap_days(1970)));
    let months = (0..month).fold(0_u64, |days, month| days.saturating_add(days_in(month, year)));
    Some(years.saturating_add(months).saturating_add(day).saturating_sub(1))
}

/// What is left of the text.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn eat(&mut self, expected: &[u8]) -> bool {
        self.0.strip_prefix(expected).is_some_and(|rest| {
            self.0 = rest;
            true
        })
    }

    fn word(&mut self) -> Option<&'a [u8]> {
        self.take(self.0.iter().take_while(|byte| byte.is_ascii_alphabetic()).count())
    }

    fn digits(&mut self, count: usize) -> Option<u64> {
        whole_number(self.take(count)?)
    }

    /// 0 for January.
    fn month(&mut self) -> Option<u64> {
        let name = self.take(3)?;
        MONTHS.chunks(3).position(|month| month == name).map(|index| index as u64)
    }

    /// Seconds since midnight of `hh:mm:ss`; a leap second is allowed.
    fn time(&mut self) -> Option<u64> {
        let hours = self.digits(2).filter(|hours| *hours < 24)?;
        self.eat(b":").then_some(())?;
        let minutes = self.digits(2).filter(|minutes| *minutes < 60)?;
        self.eat(b":").then_some(())?;
        let seconds = self.digits(2).filter(|seconds| *seconds <= 60)?;
        Some(hours.saturating_mul(3_600).saturating_add(minutes.saturating_mul(60)).saturating_add(seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::String;

    /// Sunday, 29 November 2026, 12:00:00 GMT.
    const NOW: u64 = 1_795_953_600_000;

    fn delay(value: &str) -> Option<u64> {
        parse(value.as_bytes(), Source::Delay, None, NOW).map(|wait| wait.0)
    }

    #[test]
    fn f06_seconds() {
        assert_eq!(delay("7"), Some(7_000));
        assert_eq!(delay(" 7 "), Some(7_000));
        assert_eq!(delay("0"), Some(0));
        assert_eq!(delay("99999999999"), Some(99_999_999_999_000));
        assert_eq!(delay("99999999999999999999999999"), Some(MOST));
    }

    #[test]
    fn f06_everything_else_is_ignored() {
        for garbage in ["-5", "1.5", "1e3", "abc", "", "  ", "7, 8", "+7", "0x7", "7s", "\u{663}", "Sun", "Sun, "] {
            assert_eq!(delay(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn f06_the_three_forms_of_a_date() {
        for date in ["Sun, 29 Nov 2026 12:00:10 GMT", "Sunday, 29-Nov-26 12:00:10 GMT", "Sun Nov 29 12:00:10 2026"] {
            assert_eq!(delay(date), Some(10_000), "{date}");
        }
        assert_eq!(delay("Sun Dec  6 12:00:00 2026"), Some(7 * 86_400_000));
        assert_eq!(delay("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0), "past");
        assert_eq!(delay("Sunday, 06-Nov-94 08:49:37 GMT"), Some(0), "past, of the last century");
        assert_eq!(delay("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(delay("Wed, 31 Dec 1969 00:00:00 GMT"), Some(0));
    }

    #[test]
    fn f06_dates_that_do_not_exist_are_ignored() {
        for date in [
            "Sun, 31 Feb 2027 00:00:00 GMT",
            "Sun, 29 Feb 2027 00:00:00 GMT",
            "Sun, 00 Jan 2027 00:00:00 GMT",
            "Sun, 01 Jan 2027 24:00:00 GMT",
            "Sun, 01 Jan 2027 00:60:00 GMT",
            "Sun, 01 Jan 2027 00:00:61 GMT",
            "Sun, 01 Jan 2027 00:00:00 CET",
            "Sun, 1 Jan 2027 00:00:00 GMT",
            "sun, 01 Jan 2027 00:00:00 GMT",
            "Sunday Nov 29 12:00:10 2026",
            "2026-11-29T12:00:00Z",
            "Sun, 29 Nov 2026 12:00:10 GMT, Sun, 29 Nov 2026 12:00:10 GMT",
        ] {
            assert_eq!(delay(date), None, "{date}");
        }
        assert_eq!(delay("Tue, 29 Feb 2028 00:00:00 GMT"), Some(1_835_395_200_000 - NOW));
        assert!(delay("Sun, 01 Jan 2028 23:59:60 GMT").is_some(), "a leap second");
    }

    #[test]
    fn a_date_is_counted_from_the_servers_own_date() {
        let date = b"Sun, 29 Nov 2026 13:00:00 GMT";
        let wait = parse(b"Sun, 29 Nov 2026 13:00:05 GMT", Source::Delay, Some(date), NOW);
        assert_eq!(wait, Some(Millis(5_000)), "the client clock is an hour slow");
        let wait = parse(b"Sun, 29 Nov 2026 12:00:05 GMT", Source::Delay, Some(b"garbage"), NOW);
        assert_eq!(wait, Some(Millis(5_000)));
    }

    #[test]
    fn reset_headers_may_be_seconds_since_1970() {
        let reset = |value: &str| parse(value.as_bytes(), Source::Reset, None, NOW).map(|wait| wait.0);
        assert_eq!(reset("30"), Some(30_000));
        assert_eq!(reset("1795953630"), Some(30_000));
        assert_eq!(reset("1000000000"), Some(0));
        assert_eq!(reset("999999999"), Some(999_999_999_000));
        assert_eq!(delay("1795953630"), Some(1_795_953_630_000), "Retry-After is never an epoch");
    }

    #[test]
    fn every_day_of_four_centuries_is_read_back() {
        // A day-by-day walk with the calendar's own rules, against the closed formula.
        let (mut year, mut month, mut day) = (1970_u64, 0_u64, 1_u64);
        for count in 0..146_097_u64 {
            assert_eq!(days_since_1970(year, month, day), Some(count), "{year}-{month}-{day}");
            day += 1;
            if day > days_in(month, year) {
                (day, month) = (1, month + 1);
            }
            if month == 12 {
                (month, year) = (0, year + 1);
            }
        }
        assert_eq!((year, month, day), (2370, 0, 1));
    }

    proptest::proptest! {
        #[test]
        fn no_input_panics(bytes: std::vec::Vec<u8>, wall: u64) {
            let _ = parse(&bytes, Source::Reset, Some(&bytes), wall);
            let text: String = format!("Sun, {} GMT", String::from_utf8_lossy(&bytes));
            let _ = parse(text.as_bytes(), Source::Delay, None, wall);
        }
    }
}
