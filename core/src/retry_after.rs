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

/// The three forms of an HTTP-date. In them `w` stands for a short and `W` for a long name of a day, `n` for one of a
/// month, `D`, `h`, `m`, `s` and `y` for two digits, `d` for two of which the first may be a space, `Y` for four; all
/// else for itself.
const FORMS: [&[u8]; 3] = [b"w, D n Y h:m:s GMT", b"W, D-n-y h:m:s GMT", b"w n d h:m:s Y"];

/// Milliseconds since 1970 of an HTTP-date in any of its three forms.
fn http_date(text: &[u8], wall: u64) -> Option<u64> {
    FORMS.into_iter().find_map(|form| read(text, form, wall))
}

fn read(mut text: &[u8], form: &[u8], wall: u64) -> Option<u64> {
    let (mut year, mut month, mut day, mut seconds) = (0, 0, 0, 0_u64);
    for field in form {
        let width = match field {
            b'w' | b'n' => 3,
            b'W' => text.iter().position(|byte| *byte == b',')?,
            b'D' | b'd' | b'h' | b'm' | b's' | b'y' => 2,
            b'Y' => 4,
            _ => 1,
        };
        let (part, rest) = text.split_at_checked(width)?;
        text = rest;
        let number = || whole_number(part);
        // The leap second 60 is allowed.
        let unit = |most: u64| number().filter(|number| *number <= most);
        match field {
            b'w' => DAYS.iter().any(|day| day.get(..3) == Some(part)).then_some(())?,
            b'W' => DAYS.contains(&part).then_some(())?,
            b'n' => month = MONTHS.chunks(3).position(|month| month == part)? as u64,
            b'D' => day = number()?,
            b'd' => day = whole_number(part.strip_prefix(b" ").unwrap_or(part))?,
            b'h' => seconds = unit(23)?.saturating_mul(3_600),
            b'm' => seconds = seconds.saturating_add(unit(59)?.saturating_mul(60)),
            b's' => seconds = seconds.saturating_add(unit(60)?),
            b'y' => year = full_year(number()?, wall),
            b'Y' => year = number()?,
            literal => (part == [*literal]).then_some(())?,
        }
    }
    if !text.is_empty() || day == 0 || day > days_in(month, year) {
        return None;
    }
    let days = days_since_1970(year, month, day);
    Some(days.saturating_mul(86_400).saturating_add(seconds).saturating_mul(1_000))
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

/// Years before 1970 count as 1970: a date of the past is the past.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let mut days = day.saturating_sub(1);
    for month in 0..month {
        days = days.saturating_add(days_in(month, year));
    }
    // At most 8 030 steps: a year has four digits.
    for year in 1970..year {
        days = days.saturating_add(365).saturating_add(u64::from(is_leap(year)));
    }
    if year < 1970 { 0 } else { days }
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
        // A day-by-day walk with the calendar's own rules.
        let (mut year, mut month, mut day) = (1970_u64, 0_u64, 1_u64);
        for count in 0..146_097_u64 {
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
