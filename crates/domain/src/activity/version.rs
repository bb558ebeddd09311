//! Versions of a configuration, and what changes from one to the next.
//!
//! A published version is never written to again. Whoever wants a change proposes the next version; a second person
//! sees its differences and decides ([`crate::access::Decision`]).

use super::configuration::{Configuration, Kind};

/// One field that differs. Texts are as they are written; moments are milliseconds since 1970; what is not set is
/// `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub field: &'static str,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A configuration under its number, the first being 1. There is no way to change it in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    number: u32,
    configuration: Configuration,
}

impl Version {
    pub fn first(configuration: Configuration) -> Self {
        Self { number: 1, configuration }
    }

    /// As it was kept.
    pub fn restore(number: u32, configuration: Configuration) -> Self {
        Self { number, configuration }
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The next version and what it changes; `None` when it would change nothing, or numbers have run out.
    pub fn next(&self, configuration: Configuration) -> Option<(Version, Vec<Change>)> {
        let changes = diff(&self.configuration, &configuration);
        let number = self.number.checked_add(1)?;
        (!changes.is_empty()).then_some((Version { number, configuration }, changes))
    }
}

/// The fields that differ, in a fixed order; none exactly when the two are equal.
pub fn diff(before: &Configuration, after: &Configuration) -> Vec<Change> {
    let pairs = fields(before).into_iter().zip(fields(after));
    pairs
        .filter(|((_, before), (_, after))| before != after)
        .map(|((field, before), (_, after))| Change { field, before, after })
        .collect()
}

/// Every field in words, always the same ones in the same order. Taken apart whole, so that a new field cannot be
/// forgotten here.
fn fields(configuration: &Configuration) -> Vec<(&'static str, Option<String>)> {
    let Configuration { name, description, window, zone, kind, entries, chances, tree } = configuration;
    let (what, ten, draw_at, beacon) = match kind {
        Kind::Instant { ten } => ("instant", Some(ten.to_string()), None, None),
        Kind::Raffle { draw_at, beacon } => ("raffle", None, Some(draw_at.0.to_string()), beacon.clone()),
    };
    vec![
        ("name", Some(name.clone())),
        ("description", Some(description.clone())),
        ("from", Some(window.from.0.to_string())),
        ("until", Some(window.until.0.to_string())),
        ("zone", Some(zone.clone())),
        ("kind", Some(what.to_owned())),
        ("ten", ten),
        ("draw_at", draw_at),
        ("beacon", beacon),
        ("entries", entries.map(|entries| entries.to_string())),
        ("chances.total", Some(chances.total.to_string())),
        ("chances.month", chances.month.map(|month| month.to_string())),
        ("chances.day", chances.day.map(|day| day.to_string())),
        ("tree", tree.map(|tree| tree.to_string())),
    ]
}
