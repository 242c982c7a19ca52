//! Dates as records have them.

use jiff::Timestamp;
use std::time::SystemTime;

/// A moment in UTC as RFC 3339 writes it, to the second: `2026-01-31T23:59:59Z`.
/// A clock out of all bounds reads 1970-01-01.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// let moment = UNIX_EPOCH + Duration::from_secs(951_827_696);
/// assert_eq!(pentarch_records::utc_text(moment), "2000-02-29T12:34:56Z");
/// ```
pub fn utc_text(moment: SystemTime) -> String {
    let moment = Timestamp::try_from(moment).unwrap_or_default();
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::utc_text;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn days_become_dates() {
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
            assert_eq!(utc_text(UNIX_EPOCH + last_second), format!("{date}T23:59:59Z"), "{days}");
        }
    }
}
