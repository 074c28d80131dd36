//! `Retry-After` and the reset headers of rate limits.
//!
//! RFC 9110, section 10.2.3: `Retry-After` is a whole number of seconds or an HTTP-date (section 5.6.7: IMF-fixdate and
//! the two obsolete forms). Everything else is ignored, so that a garbled header means the ordinary backoff, never a
//! wait of zero or of years. A date is counted from the answer's own `Date` where that is readable, so that a wrong
//! client clock does not matter.
//!
//! For the Rust API. The npm package has the same rules in JavaScript, whose `Date` reads dates already
//! (`pkg-template/src/retry-after.js`); `tests/vectors/retry-after.json` holds both to them.

use crate::time::Millis;

/// A reset header counts as seconds since 1970 from this value on (9 September 2001); no server means a delay of
/// 31 years.
const EPOCH_FROM: u64 = 1_000_000_000;
/// The largest number of milliseconds that a JavaScript number holds exactly.
const MOST: u64 = (1 << 53) - 1;
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
            seconds.wrapping_mul(1_000).saturating_sub(now())
        }
        Some(seconds) => seconds.wrapping_mul(1_000),
        None => http_date(value, wall)?.saturating_sub(now()),
    };
    Some(Millis(wait.min(MOST)))
}

/// Decimal digits and nothing else; too many are [`MOST`], which leaves room for a product with 1 000.
fn whole_number(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |number, byte| {
        let digit = u64::from(char::from(*byte).to_digit(10)?);
        Some(number.wrapping_mul(10).wrapping_add(digit).min(MOST))
    })
}

/// What follows the name of the day in the three forms of an HTTP-date. `n` stands for a letter of a month, `D`, `Y`,
/// `y`, `h`, `m` and `s` for a digit, `d` for one or a space, all else for itself.
const IMF_FIXDATE: &[u8] = b", DD nnn YYYY hh:mm:ss GMT";
const RFC_850: &[u8] = b", DD-nnn-yy hh:mm:ss GMT";
const ASCTIME: &[u8] = b" nnn dD hh:mm:ss YYYY";

/// Milliseconds since 1970 of an HTTP-date in any of its three forms. The day of the week is not compared with the
/// date: it adds nothing to it.
fn http_date(text: &[u8], wall: u64) -> Option<u64> {
    let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (_, text) = text.split_at_checked(letters)?;
    let (form, short_year) = match (letters, text.first()?) {
        (3, b',') => (IMF_FIXDATE, false),
        (6..=9, b',') => (RFC_850, true),
        (3, _) => (ASCTIME, false),
        _ => return None,
    };
    if form.len() != text.len() {
        return None;
    }
    // By letter, in either case.
    let mut fields = [0_u32; 32];
    for (kind, byte) in form.iter().zip(text) {
        let field = fields.get_mut(usize::from(kind & 31))?;
        match kind {
            b'n' => *field = (*field << 8) | u32::from(*byte),
            b'd' if *byte == b' ' => {}
            b'D' | b'd' | b'Y' | b'y' | b'h' | b'm' | b's' => {
                let digit = char::from(*byte).to_digit(10)?;
                *field = field.wrapping_mul(10).wrapping_add(digit);
            }
            _ if kind == byte => {}
            _ => return None,
        }
    }
    let field = |kind: u8| fields.get(usize::from(kind & 31)).copied().unwrap_or(0);
    let code = |month: &[u8]| month.iter().fold(0, |code, byte| (code << 8) | u32::from(*byte));
    let month = MONTHS.chunks(3).position(|month| code(month) == field(b'n'))? as u32;
    let year = if short_year { full_year(field(b'y'), wall) } else { field(b'y') };
    let (day, hour, minute, second) = (field(b'd'), field(b'h'), field(b'm'), field(b's'));
    // The second 60 is a leap second.
    if day == 0 || day > days_in(month, year) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let hours = days_since_1970(year, month, day).wrapping_mul(24).wrapping_add(hour);
    let seconds = u64::from(hours.wrapping_mul(60).wrapping_add(minute)).wrapping_mul(60);
    Some(seconds.saturating_add(u64::from(second)).saturating_mul(1_000))
}

/// A two-digit year is the latest one that is not more than 50 years in the future (RFC 9110, section 5.6.7).
fn full_year(short: u32, wall: u64) -> u32 {
    // Good to a day or two, which is all that a horizon of 50 years needs.
    let this_year = (wall / 31_556_952_000) as u32;
    let latest = this_year.wrapping_add(1970 + 50);
    latest.wrapping_sub(latest.wrapping_sub(short) % 100)
}

/// Months count from 0.
fn days_in(month: u32, year: u32) -> u32 {
    days_before(month.wrapping_add(1), year).wrapping_sub(days_before(month, year))
}

/// Years before 1970 count as 1970: a date of the past is the past.
fn days_since_1970(year: u32, month: u32, day: u32) -> u32 {
    let days = days_before(month, year).wrapping_add(day).wrapping_sub(1);
    days.saturating_sub(days_before(0, 1970))
}

/// The days before the first of this month, counted from a March long ago: a leap day is then the last day of its year,
/// and the months before it are of 31, 30, 31, 30 and 31 days, over and over. The month 12 is the next January.
fn days_before(month: u32, year: u32) -> u32 {
    // 400 years more, which are the same number of days wherever they begin: there is a year before the year 0.
    let (year, month) = (year.wrapping_add(400), month.wrapping_add(10));
    let (year, month) = if month < 12 { (year.wrapping_sub(1), month) } else { (year, month.wrapping_sub(12)) };
    let leap_days = (year / 4).wrapping_sub(year / 100).wrapping_add(year / 400);
    year.wrapping_mul(365).wrapping_add(leap_days).wrapping_add(month.wrapping_mul(153).wrapping_add(2) / 5)
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
            "Su, 01 Jan 2027 00:00:00 GMT",
            "S1n, 01 Jan 2027 00:00:00 GMT",
            "Sun, 01 jan 2027 00:00:00 GMT",
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
        // A day-by-day walk with the calendar's own rules.
        let (mut year, mut month, mut day) = (1970, 0, 1);
        for count in 0..146_097 {
            assert_eq!(days_since_1970(year, month, day), count, "{year}-{month}-{day}");
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
