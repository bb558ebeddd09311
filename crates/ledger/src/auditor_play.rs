//! Rounds of activities, as sums, held against their rows: counters, chances, tickets and wins of a round of any size.
//!
//! A correction copies the round out of the ledger's memory, with every player in it, and brings the rows in line at that
//! very event. Tickets and wins follow from the tickets' own records, which are links of a chain that anybody can follow:
//! a ticket that has lost its row stays lost, and stays a difference.

use std::collections::BTreeSet;

use domain::ids::ActivityId;
use domain::ledger::audit::{BookRow, Difference, PlayBook, compare_play};
use store::model::{AuditStamp, SLICE_PLAYS_MAX};

use super::auditor::{AtOne, LedgerAuditor, Remedy, Step, count, same_position, settled};
use crate::{Place, Slice};

type PlayKey = (ActivityId, u32);

impl LedgerAuditor {
    pub(super) async fn ledger_plays(&self, slot: u32, fix: Option<&AuditStamp>) -> Step<Slice> {
        let at = self.at_one(move |ledger| ledger.plays_from(slot, SLICE_PLAYS_MAX)).await?;
        let found = self.plays_differ(at.seq, &at.seen.items).await?;
        let mut slice = Slice {
            checked: count(at.seen.items.len()),
            next: at.seen.next.map(|slot| Place::LedgerPlays { slot }).into_iter().collect(),
            ..Slice::default()
        };
        slice.differences = match fix {
            Some(_) if !found.is_empty() => {
                drop(at);
                self.plays_corrected(slot, &found, fix).await?
            }
            _ => settled(found.clone(), &found),
        };
        Ok(slice)
    }

    /// Looks once more, this time at everything that is known of the rounds that differ.
    async fn plays_corrected(
        &self,
        slot: u32,
        suspects: &[Difference],
        fix: Option<&AuditStamp>,
    ) -> Step<Vec<(Difference, bool)>> {
        let keys: BTreeSet<PlayKey> = suspects.iter().filter_map(round_of).collect();
        let asked: Vec<PlayKey> = keys.iter().copied().collect();
        let AtOne { seq, seen: (books, plays), _held } = self
            .at_one(move |ledger| (ledger.plays_from(slot, SLICE_PLAYS_MAX), ledger.plays_whole(&asked)))
            .await?;
        let books: Vec<PlayBook> =
            books.items.into_iter().filter(|book| keys.contains(&(book.activity, book.round))).collect();
        let found = self.plays_differ(seq, &books).await?;
        let remedy = Remedy { plays, ..Remedy::default() };
        let corrected = self.correct(seq, &found, &remedy, fix).await?;
        let left = if corrected { self.plays_differ(seq, &books).await? } else { found.clone() };
        Ok(settled(found, &left))
    }

    async fn plays_differ(&self, seq: u64, books: &[PlayBook]) -> Step<Vec<Difference>> {
        let asked: Vec<PlayKey> = books.iter().map(|book| (book.activity, book.round)).collect();
        let rows = self.books.books_plays(asked).await?;
        same_position(rows.position, seq)?;
        let pairs = books.iter().zip(&rows.rows);
        Ok(pairs.flat_map(|(book, row)| compare_play(book, row.as_ref())).collect())
    }
}

fn round_of(found: &Difference) -> Option<PlayKey> {
    match found.row {
        BookRow::Play { activity, round } | BookRow::Prize { activity, round, .. } => Some((activity, round)),
        BookRow::Round { .. } | BookRow::Owner { .. } | BookRow::Hold { .. } | BookRow::Order { .. } => None,
    }
}
