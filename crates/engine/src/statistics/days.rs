//! Days of the site's calendar, with the moments at which they begin and end.

use domain::civil_date::CivilDate;
use domain::statistics::DayRange;
use domain::time::{DAY_MS, Timestamp};
use jiff::tz::TimeZone;
use store::model::SiteDay;

use crate::failure::{Fault, Result};
use crate::world::World;

pub(super) fn today(world: &World) -> Result<CivilDate> {
    let date = world.statistics.date(world.now(), &world.settings.site_zone);
    Ok(date.ok_or_else(|| Fault::new("a moment outside the calendar"))?)
}

/// Each day, in order.
pub(super) fn to_site_days(range: DayRange, zone: &TimeZone) -> Vec<SiteDay> {
    let span = |day: CivilDate| {
        let from = begin(day.days(), zone);
        SiteDay { from, until: begin(day.days() + 1, zone).max(from) }
    };
    range.days().map(span).collect()
}

/// When a day begins, counted from 1970-01-01: not always at midnight, and not always 24 hours after the one before it.
fn begin(days: i64, zone: &TimeZone) -> Timestamp {
    let in_utc = Timestamp(days * DAY_MS);
    let date = jiff::Timestamp::from_millisecond(in_utc.0).map(|at| at.to_zoned(TimeZone::UTC).date());
    let begins = date.and_then(|date| date.to_zoned(zone.clone()));
    begins.map_or(in_utc, |begins| Timestamp(begins.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other_without_a_gap_in_every_zone() {
        let day = CivilDate::parse("2026-11-03").unwrap();
        let range = DayRange::parse(Some("2026-02-01"), Some("2026-11-03"), day).unwrap();
        for zone in ["UTC", "Asia/Shanghai", "America/New_York", "America/Santiago", "Asia/Kathmandu"] {
            let zone = TimeZone::get(zone).unwrap();
            let days = to_site_days(range, &zone);
            assert_eq!(days.len(), range.days().count());
            for (pair, date) in days.windows(2).zip(range.days()) {
                assert_eq!(pair[0].until, pair[1].from);
                for at in [pair[0].from, Timestamp(pair[0].until.0 - 1)] {
                    assert_eq!(crate::world::day_number(at, &zone), date.number());
                }
            }
        }
    }
}
