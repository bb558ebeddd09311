//! The check of an activity's own fields, all of them at once.
//!
//! Not here: whether the time zone and the tree exist. The caller knows; the zone comes as text.

use super::configuration::{Chances, Configuration, KindSettings, Window};
use super::presentation::{Presentation, lines_text};
use crate::Rejection;
use crate::account::name::short_text;
use crate::ledger::TOTAL_MAX;
use crate::rejection::FieldProblem;
use crate::time::{DAY_MS, Timestamp};

/// Characters of a name.
pub const NAME_MAX: usize = 80;
/// Characters of a description.
pub const DESCRIPTION_MAX: usize = 4_000;
/// Characters of a time zone's name.
pub const ZONE_MAX: usize = 64;
/// Characters of the name of a public beacon.
pub const BEACON_MAX: usize = 200;
/// Three years, one of them a leap year.
pub const WINDOW_MS_MAX: i64 = 1_096 * DAY_MS;
/// Chances of one user, in all.
pub const CHANCES_MAX: u32 = 1_000_000;
/// Units of entries: what a pool of the ledger holds.
pub const ENTRIES_MAX: u64 = TOTAL_MAX;

/// An activity's fields as somebody wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityDraft {
    pub name: String,
    pub description: String,
    pub from: Timestamp,
    pub until: Timestamp,
    pub zone: String,
    pub kind: KindSettings,
    pub entries: Option<u64>,
    pub chances: Chances,
    pub tree: Option<i64>,
    pub presentation: Presentation,
}

impl ActivityDraft {
    /// The configuration, or everything that is wrong, field by field.
    pub fn check(&self) -> Result<Configuration, Vec<Rejection>> {
        let mut wrong = Vec::new();
        let name = collect_wrong(&mut wrong, short_text("name", &self.name, 1, NAME_MAX));
        let description =
            collect_wrong(&mut wrong, lines_text("description", &self.description, DESCRIPTION_MAX));
        let zone = collect_wrong(&mut wrong, zone(&self.zone));
        wrong.extend(self.window_problem());
        let kind = collect_wrong(&mut wrong, self.check_kind());
        wrong.extend(self.entries.and_then(|entries| out_of("entries", entries, 1, ENTRIES_MAX)));
        wrong.extend(self.chances_problems());
        wrong.extend(
            self.tree.filter(|tree| *tree <= 0).map(|_| Rejection::invalid("tree", FieldProblem::Malformed)),
        );
        let presentation = self.presentation.check().map_err(|more| wrong.extend(more)).ok();
        match (name, description, zone, kind, presentation) {
            (Some(name), Some(description), Some(zone), Some(kind), Some(presentation))
                if wrong.is_empty() =>
            {
                Ok(Configuration {
                    name,
                    description,
                    window: Window { from: self.from, until: self.until },
                    zone,
                    kind,
                    entries: self.entries,
                    chances: self.chances,
                    tree: self.tree,
                    presentation,
                })
            }
            _ => Err(wrong),
        }
    }

    /// The end has to come after the start, and not more than the longest window later.
    fn window_problem(&self) -> Option<Rejection> {
        let last = self.from + WINDOW_MS_MAX;
        if self.from < Timestamp(0) {
            return Some(Rejection::invalid("from", FieldProblem::MOMENT));
        }
        if self.until <= self.from {
            return Some(Rejection::invalid("until", FieldProblem::NotAfter { at: self.from }));
        }
        let range = FieldProblem::MomentOutOfRange { min: self.from, max: last };
        (self.until > last).then(|| Rejection::invalid("until", range))
    }

    fn check_kind(&self) -> Result<KindSettings, Rejection> {
        match &self.kind {
            KindSettings::Instant { ten } => Ok(KindSettings::Instant { ten: *ten }),
            KindSettings::Sale => Ok(KindSettings::Sale),
            KindSettings::Raffle { draw_at, beacon } => {
                // The list of entrants is complete, and can be published, only once nobody can enter any more.
                let last = self.until + WINDOW_MS_MAX;
                if *draw_at < self.until || *draw_at > last {
                    let range = FieldProblem::MomentOutOfRange { min: self.until, max: last };
                    return Err(Rejection::invalid("draw_at", range));
                }
                let named = |text: &String| short_text("beacon", text, 1, BEACON_MAX);
                Ok(KindSettings::Raffle {
                    draw_at: *draw_at,
                    beacon: beacon.as_ref().map(named).transpose()?,
                })
            }
        }
    }

    /// A limit above a wider one would never bind: somebody mistook one for the other.
    fn chances_problems(&self) -> Vec<Rejection> {
        let Chances { total, month, day } = self.chances;
        let whole = if total == 0 { CHANCES_MAX } else { total.min(CHANCES_MAX) };
        let limit = |field, limit: Option<u32>, max: u32| {
            limit.and_then(|limit| out_of(field, u64::from(limit), 1, u64::from(max)))
        };
        let total = out_of("chances.total", u64::from(total), 0, u64::from(CHANCES_MAX));
        let widest_day = month.filter(|month| (1..=whole).contains(month)).unwrap_or(whole);
        let month = limit("chances.month", month, whole);
        let day = limit("chances.day", day, widest_day);
        [total, month, day].into_iter().flatten().collect()
    }
}

fn collect_wrong<T>(wrong: &mut Vec<Rejection>, checked: Result<T, Rejection>) -> Option<T> {
    checked.map_err(|rejection| wrong.push(rejection)).ok()
}

/// Files beside the zones of the tz database that say no zone: the machine's own, the default of its rules, and none.
const NO_ZONES: [&str; 3] = ["localtime", "posixrules", "Factory"];

/// Whether a name can be that of a zone which is the same everywhere; whether there is such a zone the caller knows.
pub fn names_a_zone(name: &str) -> bool {
    !NO_ZONES.iter().any(|none| none.eq_ignore_ascii_case(name))
}

fn zone(text: &str) -> Result<String, Rejection> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'+');
    let kept = short_text("zone", text, 1, ZONE_MAX)?;
    if kept.bytes().all(known) && names_a_zone(&kept) {
        Ok(kept)
    } else {
        Err(Rejection::invalid("zone", FieldProblem::ZONE))
    }
}

fn out_of(field: &str, value: u64, min: u64, max: u64) -> Option<Rejection> {
    let bound = |bound: u64| i64::try_from(bound).unwrap_or(i64::MAX);
    let range = FieldProblem::OutOfRange { min: bound(min), max: bound(max) };
    (!(min..=max).contains(&value)).then(|| Rejection::invalid(field, range))
}
