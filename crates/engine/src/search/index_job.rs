//! Makes the index from the rows: after an upgrade that brought it, and every few days to put right what nobody noticed. What
//! is right already is not written again.

use domain::search::IndexedKind;
use domain::search::document::TERMS_VERSION;
use store::model::{JobRun, SearchIndexCheck};

use crate::failure::Result;
use crate::jobs::{Job, JobStep, Parameter};
use crate::world::World;

/// Rows in one step: short transactions, so that checking never holds anybody up.
const ROWS_MAX: u32 = 50;

const EVERY_DAYS: Parameter = Parameter { name: "every_days", default: 7, min: 1, max: 365 };

pub(crate) const SEARCH_INDEX: Job = Job {
    name: "search_index",
    schedule: "every 1m",
    parameters: &[EVERY_DAYS],
    step: |world, run| Box::pin(step(world, run)),
};

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    At {
        kind: IndexedKind,
        after: i64,
    },
    /// All rows were looked at, on this day.
    Whole {
        day: i64,
    },
}

const BEGIN: Progress = Progress::At { kind: IndexedKind::ALL[0], after: i64::MIN };

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let today = world.site_day(world.now());
    let (kind, after) = match read_cursor(&run.cursor) {
        Progress::Whole { day } if today - day < EVERY_DAYS.of(run) => {
            return Ok(JobStep { handled: 0, done: true, cursor: run.cursor.clone() });
        }
        Progress::Whole { .. } => (IndexedKind::ALL[0], i64::MIN),
        Progress::At { kind, after } => (kind, after),
    };
    let check = SearchIndexCheck { fence: run.fence.clone(), kind, after, limit: ROWS_MAX };
    let checked = world.db.search_index_check(check).await?;
    let next_kind = IndexedKind::ALL.into_iter().find(|other| *other > kind);
    let progress = match (checked.next, next_kind) {
        (Some(after), _) => Progress::At { kind, after },
        (None, Some(kind)) => Progress::At { kind, after: i64::MIN },
        (None, None) => Progress::Whole { day: today },
    };
    let done = matches!(progress, Progress::Whole { .. });
    Ok(JobStep { handled: checked.changed, done, cursor: write_cursor(progress) })
}

fn write_cursor(progress: Progress) -> String {
    match progress {
        Progress::At { kind, after } => format!("{TERMS_VERSION} {} {after}", kind.name()),
        Progress::Whole { day } => format!("{TERMS_VERSION} whole {day}"),
    }
}

/// A cursor that cannot be read, or is of other terms, starts over: looking twice does no harm.
fn read_cursor(text: &str) -> Progress {
    parse_cursor(text).unwrap_or(BEGIN)
}

fn parse_cursor(text: &str) -> Option<Progress> {
    let mut parts = text.split(' ');
    let version: u32 = parts.next()?.parse().ok()?;
    let (kind, number) = (parts.next()?, parts.next()?.parse().ok()?);
    match (version == TERMS_VERSION, kind) {
        (false, _) => None,
        (true, "whole") => Some(Progress::Whole { day: number }),
        (true, kind) => IndexedKind::parse(kind).map(|kind| Progress::At { kind, after: number }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_read_as_they_were_written() {
        let at = |kind, after| Progress::At { kind, after };
        for progress in
            [BEGIN, at(IndexedKind::Sale, 7), at(IndexedKind::Offer, -7), Progress::Whole { day: 20_000 }]
        {
            assert_eq!(read_cursor(&write_cursor(progress)), progress);
        }
        for text in ["", "0 post 5", "1 nothing 5", "1 post", "1 whole x"] {
            assert_eq!(read_cursor(text), BEGIN, "{text}");
        }
    }
}
