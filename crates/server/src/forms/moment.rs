//! A moment in a form: written as milliseconds since 1970, read from that or from RFC 3339 text.

use std::fmt;

use domain::time::Timestamp;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

/// In every error about something that is no moment.
pub(crate) const MOMENT_WORDS: &str = "milliseconds since 1970 or RFC 3339 text";

/// Milliseconds since 1970, or text like `2026-11-15T08:00:00+08:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl PartialSchema for Moment {
    fn schema() -> RefOr<Schema> {
        one_of(MOMENT_WORDS)
    }
}

impl ToSchema for Moment {}

/// A number or a text.
pub(super) fn one_of(words: &str) -> RefOr<Schema> {
    let number = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .examples([1_794_700_800_000_i64]);
    let text = ObjectBuilder::new().schema_type(Type::String).examples(["2026-11-15T08:00:00+08:00"]);
    RefOr::T(Schema::OneOf(OneOfBuilder::new().item(number).item(text).description(Some(words)).build()))
}

impl From<Timestamp> for Moment {
    fn from(at: Timestamp) -> Self {
        Self(at.0)
    }
}

impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        Self(moment.0)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Moment;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MOMENT_WORDS)
    }

    fn visit_i64<E: Error>(self, ms: i64) -> Result<Moment, E> {
        Ok(Moment(ms))
    }

    fn visit_u64<E: Error>(self, ms: u64) -> Result<Moment, E> {
        i64::try_from(ms).map(Moment).map_err(|_| E::custom(format_args!("not {MOMENT_WORDS}")))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Moment, E> {
        let moment: jiff::Timestamp =
            text.parse().map_err(|_| E::custom(format_args!("not {MOMENT_WORDS}")))?;
        Ok(Moment(moment.as_millisecond()))
    }

    /// How a TOML file's own dates come. They need not name an offset, and then are no moment.
    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Moment, A::Error> {
        Err(A::Error::custom("put the moment in quotes, with its offset: \"2026-11-15T08:00:00+08:00\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_in_two_ways_and_written_in_one() {
        for (text, expected) in [
            ("1794700800000", Some(1_794_700_800_000)),
            ("-1", Some(-1)),
            ("\"2026-11-15T08:00:00+08:00\"", Some(1_794_700_800_000)),
            ("\"2026-11-15T00:00:00Z\"", Some(1_794_700_800_000)),
            ("\"2026-11-15T00:00:00.250Z\"", Some(1_794_700_800_250)),
            ("\"2026-11-15T00:00:00\"", None),
            ("\"2026-11-15\"", None),
            ("\"soon\"", None),
            ("18446744073709551615", None),
            ("1.5", None),
            ("null", None),
            ("{\"at\":1}", None),
        ] {
            let got = serde_json::from_str::<Moment>(text).ok();
            assert_eq!(got.map(|moment| moment.0), expected, "{text}");
        }
        assert_eq!(serde_json::to_string(&Moment(5)).unwrap(), "5");
    }
}
