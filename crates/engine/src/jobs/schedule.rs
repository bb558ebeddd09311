//! When a job is due: `every 90s`, `every 5m`, `every 6h`, or `cron 0 4 * * *` in the site's zone.

use croner::Cron;
use domain::Rejection;
use domain::time::{HOUR_MS, MINUTE_MS, SECOND_MS, Timestamp};
use jiff::tz::TimeZone;

#[derive(Clone, Debug)]
pub enum Schedule {
    Every { ms: i64 },
    Cron(Box<Cron>),
}

const EVERY_MAX_MS: i64 = 31 * 24 * HOUR_MS;

impl Schedule {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        let invalid = |detail: &str| Rejection::ScheduleInvalid { detail: detail.to_owned() };
        if text.len() > 200 {
            return Err(invalid("longer than 200 characters"));
        }
        match text.trim().split_once(' ') {
            Some(("every", length)) => {
                every(length.trim()).ok_or_else(|| invalid("say `every 30s`, `every 5m` or `every 6h`"))
            }
            Some(("cron", pattern)) => {
                let cron = pattern.trim().parse::<Cron>().map_err(|error| invalid(&error.to_string()))?;
                Ok(Self::Cron(Box::new(cron)))
            }
            _ => Err(invalid("say `every 5m` or `cron 0 4 * * *`")),
        }
    }

    /// The first moment after `now`.
    pub fn next_after(&self, now: Timestamp, zone: &TimeZone) -> Result<Timestamp, Rejection> {
        match self {
            Self::Every { ms } => Ok(now + *ms),
            Self::Cron(cron) => {
                let invalid = |detail: String| Rejection::ScheduleInvalid { detail };
                let start =
                    jiff::Timestamp::from_millisecond(now.0).map_err(|error| invalid(error.to_string()))?;
                let next = cron
                    .find_next_occurrence(&start.to_zoned(zone.clone()), false)
                    .map_err(|error| invalid(error.to_string()))?;
                Ok(Timestamp(next.timestamp().as_millisecond()))
            }
        }
    }
}

fn every(length: &str) -> Option<Schedule> {
    let unit = length.chars().last()?;
    let count: i64 = length.strip_suffix(unit)?.parse().ok()?;
    let unit_ms = match unit {
        's' => SECOND_MS,
        'm' => MINUTE_MS,
        'h' => HOUR_MS,
        _ => return None,
    };
    let ms = count.checked_mul(unit_ms)?;
    (SECOND_MS..=EVERY_MAX_MS).contains(&ms).then_some(Schedule::Every { ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_and_their_next_moment() {
        let shanghai = TimeZone::get("Asia/Shanghai").unwrap();
        // 2024-01-01T00:00:00Z is eight in the morning in Shanghai.
        let now = Timestamp(1_704_067_200_000);
        for (text, expected_ms) in [
            ("every 30s", Some(30_000)),
            ("every 5m", Some(300_000)),
            ("every 6h", Some(21_600_000)),
            ("cron 0 4 * * *", Some(20 * HOUR_MS)),
            ("cron 30 8 * * *", Some(30 * MINUTE_MS)),
            ("every 0s", None),
            ("every -5m", None),
            ("every 99999h", None),
            ("every day", None),
            ("every 5分", None),
            ("cron 61 4 * * *", None),
            ("now and then", None),
            ("", None),
        ] {
            let got = Schedule::parse(text).and_then(|schedule| schedule.next_after(now, &shanghai));
            assert_eq!(got.map(|at| at.0 - now.0).ok(), expected_ms, "{text}");
        }
    }
}
