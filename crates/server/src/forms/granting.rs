//! When a prize is granted and how long it may be claimed, as people write it: `now`, `by_hand` or a moment; `7d`, `36h`.

use std::fmt;
use std::str::FromStr;

use domain::fulfilment::Grant;
use domain::time::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::moment::{Moment, one_of};

/// `now`, `by_hand`, or a moment before which it is not granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantForm(pub Grant);

impl PartialSchema for GrantForm {
    fn schema() -> RefOr<Schema> {
        one_of("`now`, `by_hand`, or a moment before which it is not granted")
    }
}

impl ToSchema for GrantForm {}

impl Serialize for GrantForm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Grant::At(at) => Moment::from(at).serialize(serializer),
            Grant::Now | Grant::ByHand => serializer.serialize_str(self.0.name()),
        }
    }
}

impl<'de> Deserialize<'de> for GrantForm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

struct Either;

impl Visitor<'_> for Either {
    type Value = GrantForm;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("now, by_hand, or a moment as RFC 3339 text or milliseconds since 1970")
    }

    fn visit_i64<E: Error>(self, ms: i64) -> Result<GrantForm, E> {
        Ok(GrantForm(Grant::At(Timestamp(ms))))
    }

    fn visit_u64<E: Error>(self, ms: u64) -> Result<GrantForm, E> {
        i64::try_from(ms).map_err(|_| E::custom("a moment too far ahead")).and_then(|ms| self.visit_i64(ms))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<GrantForm, E> {
        if let Some(grant) = Grant::parse(text, None) {
            return Ok(GrantForm(grant));
        }
        let wrong = || E::custom("neither now, nor by_hand, nor a moment of RFC 3339");
        let moment: jiff::Timestamp = text.parse().map_err(|_| wrong())?;
        Ok(GrantForm(Grant::At(Timestamp(moment.as_millisecond()))))
    }
}

/// A length of time: a whole number of days, hours or minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, example = "7d")]
pub struct Span(pub i64);

const UNITS: [(char, i64); 3] = [('d', DAY_MS), ('h', HOUR_MS), ('m', MINUTE_MS)];

impl FromStr for Span {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let read = |(unit, unit_ms)| Some((text.strip_suffix(unit)?, unit_ms));
        let (number, unit_ms) = UNITS.into_iter().find_map(read).ok_or(())?;
        let number: i64 = number.parse().map_err(|_| ())?;
        number.checked_mul(unit_ms).map(Self).ok_or(())
    }
}

/// In the largest unit that it is a whole number of.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, unit_ms) =
            UNITS.into_iter().find(|(_, unit_ms)| self.0 % unit_ms == 0).unwrap_or(('m', MINUTE_MS));
        write!(f, "{}{unit}", self.0 / unit_ms)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom("a whole number of days, hours or minutes: 7d, 36h, 90m"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_come_back() {
        let at = Grant::At(Timestamp(1_794_700_800_000));
        for (text, expected, written) in [
            ("\"now\"", Some(Grant::Now), "\"now\""),
            ("\"by_hand\"", Some(Grant::ByHand), "\"by_hand\""),
            ("\"2026-11-15T08:00:00+08:00\"", Some(at), "1794700800000"),
            ("1794700800000", Some(at), "1794700800000"),
            ("\"at\"", None, ""),
            ("\"later\"", None, ""),
            ("true", None, ""),
        ] {
            let got = serde_json::from_str::<GrantForm>(text).ok();
            assert_eq!(got.map(|form| form.0), expected, "{text}");
            if let Some(form) = got {
                assert_eq!(serde_json::to_string(&form).unwrap(), written);
            }
        }
    }

    #[test]
    fn spans_come_back_in_the_largest_unit() {
        for (text, ms, written) in [
            ("7d", Some(7 * DAY_MS), "7d"),
            ("48h", Some(2 * DAY_MS), "2d"),
            ("36h", Some(36 * HOUR_MS), "36h"),
            ("90m", Some(90 * MINUTE_MS), "90m"),
            ("0d", Some(0), "0d"),
            ("-1d", Some(-DAY_MS), "-1d"),
            ("7", None, ""),
            ("d", None, ""),
            ("1.5d", None, ""),
            ("7dd", None, ""),
            ("9223372036854775807d", None, ""),
        ] {
            let got = text.parse::<Span>().ok();
            assert_eq!(got.map(|span| span.0), ms, "{text}");
            assert_eq!(got.map(|span| span.to_string()).unwrap_or_default(), written);
        }
    }
}
