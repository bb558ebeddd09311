//! When points expire, by the site's calendar or a rule's, and which day it is somewhere. Days and years end when they end
//! there, summer time or not.

use domain::points::{Expiry, NEVER};
use domain::time::Timestamp;
use jiff::ToSpan;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;

use crate::world::day_number;

/// The first moment at which points that came at `at` are no longer good; [`NEVER`] when there is none.
pub fn expires(policy: Expiry, at: Timestamp, zone: &TimeZone) -> Timestamp {
    let Ok(moment) = jiff::Timestamp::from_millisecond(at.0) else { return NEVER };
    let today = moment.to_zoned(zone.clone()).date();
    let next_day = match policy {
        Expiry::Never => return NEVER,
        Expiry::Days(days) => today.checked_add((i64::from(days) + 1).days()).ok(),
        Expiry::Years(years) => new_year(today, years),
    };
    let begins = next_day.and_then(|day| day.to_zoned(zone.clone()).ok());
    // What lies beyond the calendar never comes.
    begins.map_or(NEVER, |begins| Timestamp(begins.timestamp().as_millisecond()))
}

/// The same in a zone by its name; nothing if there is no such zone.
pub fn expires_in(policy: Expiry, zone: &str, at: Timestamp) -> Option<Timestamp> {
    Some(expires(policy, at, &TimeZone::get(zone).ok()?))
}

/// The day of a moment in a zone by its name, as yyyymmdd; nothing if there is no such zone.
pub fn day_in(zone: &str, at: Timestamp) -> Option<i64> {
    Some(day_number(at, &TimeZone::get(zone).ok()?))
}

/// The first day after the year that is so many years after today's.
fn new_year(today: Date, years: u32) -> Option<Date> {
    let year = i64::from(today.year()) + i64::from(years) + 1;
    let year = i16::try_from(year).ok().filter(|year| *year <= Date::MAX.year())?;
    Some(date(year, 1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_expire_at_the_end_of_a_day_or_a_year() {
        use Expiry::{Days, Never, Years};
        for (policy, came, zone, expected) in [
            (Never, "2026-11-15T08:00:00Z", "UTC", None),
            (Days(1), "2026-11-15T08:00:00Z", "UTC", Some("2026-11-17T00:00:00Z")),
            (Days(1), "2026-11-15T23:59:59.999Z", "UTC", Some("2026-11-17T00:00:00Z")),
            (Days(1), "2026-11-16T00:00:00Z", "UTC", Some("2026-11-18T00:00:00Z")),
            // A day later there already.
            (Days(1), "2026-11-15T16:00:00Z", "Asia/Shanghai", Some("2026-11-17T16:00:00Z")),
            (Days(1), "2026-11-15T15:59:59Z", "Asia/Shanghai", Some("2026-11-16T16:00:00Z")),
            (Days(365), "2027-03-01T00:00:00Z", "UTC", Some("2028-03-01T00:00:00Z")),
            // Clocks go forward in between, and at midnight.
            (Days(1), "2026-03-07T12:00:00Z", "America/New_York", Some("2026-03-09T04:00:00Z")),
            (Days(1), "2026-09-04T12:00:00Z", "America/Santiago", Some("2026-09-06T04:00:00Z")),
            (Years(0), "2026-11-15T08:00:00Z", "UTC", Some("2027-01-01T00:00:00Z")),
            (Years(1), "2026-12-31T23:59:59Z", "UTC", Some("2028-01-01T00:00:00Z")),
            (Years(1), "2026-12-31T16:00:00Z", "Asia/Shanghai", Some("2028-12-31T16:00:00Z")),
            (Years(1), "9998-06-01T00:00:00Z", "UTC", None),
            (Days(36_500), "9990-06-01T00:00:00Z", "UTC", None),
        ] {
            let ms = |text: &str| Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
            let got = expires(policy, ms(came), &TimeZone::get(zone).unwrap());
            assert_eq!(got, expected.map_or(NEVER, ms), "{policy:?} {came} {zone}");
        }
    }
}
