//! Versions of an activity, and what changes from one to the next.
//!
//! A published version is never written to again. Whoever wants a change proposes the next version; a second person
//! sees its differences and decides ([`crate::access::Decision`]).

use std::collections::HashMap;

use super::configuration::{Configuration, KindSettings};
use super::content::Content;
use super::plan_fields::{self, Field};

/// One field that differs. Texts are as they are written; moments are RFC 3339 in UTC; what is not set is `None`. Prizes go by their ids: `prizes.3.odds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    pub field: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A content under its number, the first being 1. There is no way to change it in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    number: u32,
    content: Content,
}

impl Version {
    pub fn first(content: Content) -> Self {
        Self { number: 1, content }
    }

    /// As it was kept.
    pub fn restore(number: u32, content: Content) -> Self {
        Self { number, content }
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The next version and what it changes; `None` when it would change nothing, or numbers have run out.
    pub fn next(&self, content: Content) -> Option<(Version, Vec<FieldChange>)> {
        let changes = diff(&self.content, &content);
        let number = self.number.checked_add(1)?;
        (!changes.is_empty()).then_some((Version { number, content }, changes))
    }
}

/// The fields that differ: those of the older version in its order, then what only the newer one has. None exactly when
/// the two say the same.
pub fn diff(before: &Content, after: &Content) -> Vec<FieldChange> {
    let (old, new) = (fields(before), fields(after));
    let was: HashMap<&str, &Option<String>> =
        old.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let is: HashMap<&str, &Option<String>> = new.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let added = new.iter().filter(|(name, _)| !was.contains_key(name.as_str()));
    let change = |(name, _): &Field| {
        let [before, after] =
            [&was, &is].map(|side| side.get(name.as_str()).and_then(|value| (*value).clone()));
        (before != after).then(|| FieldChange { field: name.clone(), before, after })
    };
    old.iter().chain(added).filter_map(change).collect()
}

/// Everything a first version says, as changes from nothing. What is not set is left out.
pub fn describe(content: &Content) -> Vec<FieldChange> {
    let set =
        fields(content).into_iter().filter(|(_, value)| value.as_ref().is_some_and(|text| !text.is_empty()));
    set.map(|(field, after)| FieldChange { field, before: None, after }).collect()
}

fn fields(Content { configuration, plan, cards }: &Content) -> Vec<Field> {
    let mut fields = configuration_fields(configuration);
    fields.extend(plan_fields::fields(plan, cards));
    fields
}

/// Every field in words. Taken apart whole, so that a new field cannot be forgotten here.
fn configuration_fields(configuration: &Configuration) -> Vec<Field> {
    let Configuration { name, description, window, zone, kind, entries, chances, tree, presentation } =
        configuration;
    let (ten, draw_at, beacon) = match kind {
        KindSettings::Instant { ten } => (Some(ten.to_string()), None, None),
        KindSettings::Raffle { draw_at, beacon } => (None, Some(draw_at.rfc3339()), beacon.clone()),
        KindSettings::Sale => (None, None, None),
    };
    let fields = [
        ("name", Some(name.clone())),
        ("description", Some(description.clone())),
        ("from", Some(window.from.rfc3339())),
        ("until", Some(window.until.rfc3339())),
        ("zone", Some(zone.clone())),
        ("kind", Some(kind.name().to_owned())),
        ("ten", ten),
        ("draw_at", draw_at),
        ("beacon", beacon),
        ("entries", entries.map(|entries| entries.to_string())),
        ("chances.total", Some(chances.total.to_string())),
        ("chances.month", chances.month.map(|month| month.to_string())),
        ("chances.day", chances.day.map(|day| day.to_string())),
        ("tree", tree.map(|tree| tree.to_string())),
    ];
    let own = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    own.chain(presentation.fields()).collect()
}
