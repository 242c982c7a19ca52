//! Dates of game records.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use std::time::SystemTime;

/// Formats a moment in UTC as RFC 3339 does, to the second: `2026-01-31T23:59:59Z`. A moment out of
/// range becomes 1970-01-01.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// let moment = UNIX_EPOCH + Duration::from_secs(951_827_696);
/// assert_eq!(pentarch_records::format_utc(moment), "2000-02-29T12:34:56Z");
/// ```
pub fn format_utc(moment: SystemTime) -> String {
    let moment = Timestamp::try_from(moment).unwrap_or_default();
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Parses a date `2026-01-31` or a moment `2026-01-31T23:59:59Z` and returns it with two digits for
/// months and days. Returns `None` if it is not in the calendar.
pub(super) fn normalize_date(text: &str) -> Option<String> {
    let (day, time) = text.split_once('T').unwrap_or((text, ""));
    let numbers: Vec<&str> = day.split('-').collect();
    let [year, month, day] = numbers.as_slice() else { return None };
    let is_short = |text: &str| matches!(text.len(), 1 | 2);
    if year.len() != 4 || !is_short(month) || !is_short(day) {
        return None;
    }
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    if time.is_empty() {
        return Some(date.to_string());
    }
    let time: Time = time.strip_suffix('Z')?.parse().ok()?;
    Some(format!("{date}T{}Z", time.strftime("%H:%M:%S")))
}

#[cfg(test)]
mod tests {
    use super::{format_utc, normalize_date};
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn days_that_are_not_in_the_calendar_are_refused() {
        for (text, date) in [
            ("2026-1-31", Some("2026-01-31")),
            ("2024-02-29T01:02:03Z", Some("2024-02-29T01:02:03Z")),
            ("2023-02-29", None),
            ("2019-31-12", None),
            ("2019-12-31T25:61:00Z", None),
            ("2019-12-31T01:02:03", None),
            ("2019-12", None),
            ("Tuesday", None),
        ] {
            assert_eq!(normalize_date(text).as_deref(), date, "{text}");
        }
    }

    #[test]
    fn days_are_formatted_as_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (364, "1970-12-31"),
            (365, "1971-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            let last_second = Duration::from_millis(days * 86_400_000 + 86_399_999);
            assert_eq!(format_utc(UNIX_EPOCH + last_second), format!("{date}T23:59:59Z"), "{days}");
        }
    }
}
