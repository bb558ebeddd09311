//! Rounds of activities, as sums, held against their rows. Nothing is corrected here: a ticket or a win that one side
//! lacks is for people to look into, with the chain and the journal at hand.

use domain::ids::ActivityId;
use domain::ledger::audit::{Difference, compare_play};
use engine::ports::{Place, SLICE_DRAWS_MAX, SLICE_PLAYS_MAX, Slice};

use super::auditor::{LedgerAuditor, Step, same_position, settled};

impl LedgerAuditor {
    pub(super) async fn ledger_plays(&self, slot: u32) -> Step<Slice> {
        let players_max = usize::try_from(SLICE_DRAWS_MAX).unwrap_or(usize::MAX);
        let at = self.at_one(move |ledger| ledger.plays_from(slot, SLICE_PLAYS_MAX, players_max)).await?;
        let books = &at.seen.items;
        let asked: Vec<(ActivityId, u32)> = books.iter().map(|book| (book.activity, book.round)).collect();
        let rows = self.books.books_plays(asked).await?;
        same_position(rows.position, at.seq)?;
        let pairs = || books.iter().zip(&rows.rows);
        let found: Vec<Difference> =
            pairs().flat_map(|(book, row)| compare_play(book, row.as_ref())).collect();
        let unsummed = |row: &Option<domain::ledger::audit::PlayRows>| {
            row.as_ref().is_some_and(|row| row.sums.is_none())
        };
        let not_checked = pairs().filter(|(book, row)| book.players.is_none() || unsummed(row)).count();
        Ok(Slice {
            checked: u64::try_from(books.len()).unwrap_or(u64::MAX),
            not_checked: u64::try_from(not_checked).unwrap_or(u64::MAX),
            differences: settled(found.clone(), &found),
            next: at.seen.next.map(|slot| Place::LedgerPlays { slot }).into_iter().collect(),
        })
    }
}
