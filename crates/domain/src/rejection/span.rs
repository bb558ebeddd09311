//! A length of time, in words.

use std::fmt;

use super::lang::Lang;
use super::worded::Worded;
use crate::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};

/// In milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Milliseconds(pub i64);

/// From the longest to the shortest: one, many, and in Chinese.
const UNITS: [(i64, &str, &str, &str); 5] = [
    (DAY_MS, "day", "days", "天"),
    (HOUR_MS, "hour", "hours", "小时"),
    (MINUTE_MS, "minute", "minutes", "分钟"),
    (SECOND_MS, "second", "seconds", "秒"),
    (1, "ms", "ms", "毫秒"),
];

impl fmt::Display for Worded<'_, Milliseconds> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.1.0.max(0);
        let mut words = Vec::new();
        for (unit, one, many, chinese) in UNITS {
            let count = left / unit;
            left %= unit;
            if count == 0 {
                continue;
            }
            let name = match self.0 {
                Lang::En if count == 1 => one,
                Lang::En => many,
                Lang::Zh => chinese,
            };
            words.push(format!("{count} {name}"));
        }
        match (words.is_empty(), self.0) {
            (false, _) => f.write_str(&words.join(" ")),
            (true, Lang::En) => f.write_str("0 seconds"),
            (true, Lang::Zh) => f.write_str("0 秒"),
        }
    }
}
