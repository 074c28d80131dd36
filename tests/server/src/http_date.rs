//! IMF-fixdate, the date format of HTTP (RFC 9110, section 5.6.7).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The date of `time`, rounded up to the next whole second: "in ten seconds" must not come out as nine and a half.
pub(crate) fn imf_fixdate(time: SystemTime) -> String {
    let since_epoch = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let seconds = since_epoch.as_secs() + u64::from(since_epoch.subsec_nanos() > 0);
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil_from_days(days);
    let weekday = DAYS[(days % 7) as usize];
    let month = MONTHS[month - 1];
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Year, month (from 1) and day of a day number since 1970-01-01, by walking years and months: dates in tests are few.
fn civil_from_days(mut days: u64) -> (u64, usize, u64) {
    let mut year = 1970;
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    while days >= days_of_month(year, month) {
        days -= days_of_month(year, month);
        month += 1;
    }
    (year, month, days + 1)
}

fn days_of_year(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of_month(year: u64, month: usize) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_rfc() {
        let time = UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(imf_fixdate(time), "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[test]
    fn leap_day_and_rounding_up() {
        let time = UNIX_EPOCH + Duration::from_millis(1_709_164_799_001);
        assert_eq!(imf_fixdate(time), "Thu, 29 Feb 2024 00:00:00 GMT");
    }
}
