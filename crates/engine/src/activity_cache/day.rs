//! Which day it is somewhere, and when it begins and ends. Days are not always 24 hours long.

use domain::ledger::play::Day;
use domain::time::{DAY_MS, Timestamp};
use jiff::tz::TimeZone;

use crate::world::day_number;

/// The day of a moment in a zone.
pub fn day_at(at: Timestamp, zone: &TimeZone) -> Day {
    let moment = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let zoned = moment.to_zoned(zone.clone());
    let date = zoned.date();
    let begin = |date: jiff::civil::Date| {
        date.to_zoned(zone.clone()).ok().map(|begin| Timestamp(begin.timestamp().as_millisecond()))
    };
    let from = begin(date).unwrap_or(at);
    // The last day that the calendar knows ends like any other.
    let until = date.tomorrow().ok().and_then(begin).unwrap_or(Timestamp(from.0 + DAY_MS));
    Day { number: u32::try_from(day_number(at, zone)).unwrap_or(0), from, until }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    /// The moment, the zone, the day, and how many hours long it is.
    #[test]
    fn a_day_belongs_to_its_zone_and_has_its_own_length() {
        for (moment, zone, number, hours) in [
            ("2026-06-30T23:59:59.999Z", "UTC", 20_260_630, 24),
            ("2026-07-01T00:00:00Z", "UTC", 20_260_701, 24),
            ("2026-06-30T16:00:00Z", "Asia/Shanghai", 20_260_701, 24),
            ("2026-06-30T15:59:59.999Z", "Asia/Shanghai", 20_260_630, 24),
            ("2028-02-29T12:00:00Z", "UTC", 20_280_229, 24),
            // Clocks go forward, and back.
            ("2026-03-08T12:00:00Z", "America/New_York", 20_260_308, 23),
            ("2026-11-01T12:00:00Z", "America/New_York", 20_261_101, 25),
            // Where clocks go forward at midnight, the day begins at one.
            ("2026-09-06T12:00:00Z", "America/Santiago", 20_260_906, 23),
        ] {
            let at = Timestamp(moment.parse::<jiff::Timestamp>().unwrap().as_millisecond());
            let day = day_at(at, &TimeZone::get(zone).unwrap());
            assert!(day.contains(at), "{moment} {zone}");
            assert_eq!((day.number, day.until.0 - day.from.0), (number, hours * HOUR), "{moment} {zone}");
            assert!(!day.contains(day.until) && day.contains(day.from), "{moment} {zone}");
            assert_ne!(day_at(day.until, &TimeZone::get(zone).unwrap()).number, number, "{moment} {zone}");
        }
    }
}
