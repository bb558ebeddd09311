//! Holds the ledger against its rows, one bounded slice at a time, both at the same event.
//!
//! A slice of the ledger's side stops the projection at the event the ledger was looked at ([`Barrier`]), reads the rows
//! there and compares. A slice of the database's side looks for what the ledger does not know; only where something is
//! suspicious are the two brought to one event. When they cannot be within [`PATIENCE`] (the projection fails, the
//! journal's disk failed, the program stops), the slice is given up: nothing is known then, and nothing is called wrong.
//!
//! A correction is written at that very event, before the projection goes on, and only into the database. The ledger is
//! told nothing: no hold is ended and no unit is moved by an audit.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::ledger::audit::{
    BookRow, Difference, PlayWhole, RoundBook, What, compare_hold, compare_moved, compare_owners,
    compare_round,
};
use domain::ledger::{Change, Key, Ledger, OpenHold, PoolId};
use store::Db;
use store::failure::{Failure, Result};
use store::model::{AuditStamp, Correct, HoldTexts, OpenPlace, RoundLookup, SLICE_MAX, SLICE_OWNERS_MAX};

use super::barrier::Held;
use super::projector::Projector;
use super::queue::QueueLane;
use super::writer::LedgerWriter;
use crate::{Auditor, LedgerFigures, Place, Slice, Sliced};

/// How long the projection may take to come to the event that was looked at.
const PATIENCE: Duration = Duration::from_secs(10);
const SHORT_PATIENCE: Duration = Duration::from_secs(2);
/// Audits have a lane of their own, as reads do.
const AUDITS: QueueLane = -1;
/// Owners in one slice of a round that has many, about.
const OWNERS_PART: usize = SLICE_OWNERS_MAX;

/// The auditor of an embedded ledger.
pub struct LedgerAuditor {
    writer: Arc<LedgerWriter>,
    pub(super) projector: Arc<Projector>,
    pub(super) books: Db,
}

impl std::fmt::Debug for LedgerAuditor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LedgerAuditor").field("writer", &self.writer).finish_non_exhaustive()
    }
}

/// Why a slice ends without a result.
pub(super) enum Stop {
    GivenUp(String),
    /// The projection does not come to the event that was looked at.
    Stuck(String),
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(failure: E) -> Self {
        Self::Failed(failure.into())
    }
}

pub(super) type Step<T> = Result<T, Stop>;
type RoundKey = (PoolId, u32);

/// The ledger as it was at an event, with the projection stopped there.
pub(super) struct AtOne<'b, T> {
    pub(super) _held: Held<'b>,
    pub(super) seq: u64,
    pub(super) seen: T,
}

/// What to do about what was found.
#[derive(Default)]
pub(super) struct Remedy {
    pub(super) rounds: Vec<RoundBook>,
    pub(super) holds: Vec<OpenHold>,
    pub(super) ended: Vec<u64>,
    pub(super) orders: Vec<u64>,
    pub(super) let_go: Vec<RoundKey>,
    pub(super) plays: Vec<PlayWhole>,
}

#[async_trait]
impl Auditor for LedgerAuditor {
    async fn slice(&self, place: Place, fix: Option<AuditStamp>) -> Result<Sliced> {
        let fix = fix.as_ref();
        let done = match place {
            Place::LedgerRounds { slot } => self.ledger_rounds(slot, fix).await,
            Place::LedgerOwners { pool, round, from, to } => {
                self.ledger_owners((pool, round), (from, to), fix).await
            }
            Place::LedgerHolds { slot } => self.ledger_holds(slot, fix).await,
            Place::BookRounds { after } => self.book_rounds(after, fix).await,
            Place::BookHolds { after } => self.book_holds(after, fix).await,
            Place::BookOrders { after } => self.book_orders(after, fix).await,
            Place::LedgerPlays { slot } => self.ledger_plays(slot, fix).await,
        };
        let done = match (done, fix) {
            (Err(Stop::Stuck(why)), Some(signed)) => self.unstick(place, why, signed).await,
            (done, _) => done,
        };
        match done {
            Ok(slice) => Ok(Sliced::Done(slice)),
            Err(Stop::GivenUp(why) | Stop::Stuck(why)) => Ok(Sliced::GivenUp(why)),
            Err(Stop::Failed(failure)) => Err(failure),
        }
    }

    fn figures(&self) -> LedgerFigures {
        let (durable, told, projected) = (self.writer.durable(), self.writer.told(), self.writer.reached());
        LedgerFigures { durable, told, projected, trouble: self.projector.trouble() }
    }
}

impl LedgerAuditor {
    pub(super) fn new(writer: Arc<LedgerWriter>, projector: Arc<Projector>, books: Db) -> Self {
        Self { writer, projector, books }
    }

    async fn ledger_rounds(&self, slot: u32, fix: Option<&AuditStamp>) -> Step<Slice> {
        let at = self.at_one(move |ledger| ledger.rounds_from(slot, SLICE_MAX, SLICE_OWNERS_MAX)).await?;
        let books = &at.seen.items;
        let found = self.rounds_differ(at.seq, books).await?;
        let mut slice = Slice { checked: count(books.len()), ..Slice::default() };
        slice.next.extend(at.seen.next.map(|slot| Place::LedgerRounds { slot }));
        slice.next.extend(books.iter().filter(|book| book.owners.is_none()).flat_map(parts));
        slice.differences = if found.is_empty() {
            Vec::new()
        } else {
            let rows: HashSet<RoundKey> = found.iter().filter_map(round_of).collect();
            let wrong = books.iter().filter(|book| rows.contains(&key_of(book))).cloned();
            let remedy = Remedy { rounds: wrong.collect(), ..Remedy::default() };
            let corrected = self.correct(at.seq, &found, &remedy, fix).await?;
            let left = if corrected { self.rounds_differ(at.seq, books).await? } else { found.clone() };
            settled(found, &left)
        };
        Ok(slice)
    }

    async fn rounds_differ(&self, seq: u64, books: &[RoundBook]) -> Step<Vec<Difference>> {
        let asked = |book: &RoundBook| {
            let (pool, round) = key_of(book);
            RoundLookup { pool, round, owners: book.owners.is_some() }
        };
        let rows = self.books.books_rounds(books.iter().map(asked).collect()).await?;
        same_position(rows.position, seq)?;
        let pairs = books.iter().zip(&rows.rows);
        Ok(pairs.flat_map(|(book, row)| compare_round(Some(book), row.as_ref())).collect())
    }

    async fn ledger_owners(
        &self,
        round: RoundKey,
        (from, to): (i64, i64),
        fix: Option<&AuditStamp>,
    ) -> Step<Slice> {
        let at = self.at_one(move |ledger| ledger.owners_between(round.0, round.1, from, to)).await?;
        // The round has left the ledger's memory since: it is over, and nobody counts its owners any more.
        let Some(owners) = &at.seen else { return Ok(Slice::default()) };
        let differ = async || -> Step<Vec<Difference>> {
            let rows = self.books.books_owners(round, (from, to)).await?;
            same_position(rows.position, at.seq)?;
            Ok(compare_owners(round, owners, &rows.rows))
        };
        let found = differ().await?;
        let corrected = self.correct(at.seq, &found, &Remedy::default(), fix).await?;
        let left = if corrected { differ().await? } else { found.clone() };
        Ok(Slice { checked: count(owners.len()), differences: settled(found, &left), ..Slice::default() })
    }

    async fn ledger_holds(&self, slot: u32, fix: Option<&AuditStamp>) -> Step<Slice> {
        let at = self.at_one(move |ledger| ledger.open_holds_from(slot, SLICE_MAX)).await?;
        let holds = &at.seen.items;
        let found = self.holds_differ(at.seq, holds).await?;
        let rows: HashSet<u64> = found.iter().filter_map(hold_of).collect();
        let wrong = holds.iter().filter(|hold| rows.contains(&hold.made_seq)).cloned();
        let remedy = Remedy { holds: wrong.collect(), ..Remedy::default() };
        let corrected = self.correct(at.seq, &found, &remedy, fix).await?;
        let left = if corrected { self.holds_differ(at.seq, holds).await? } else { found.clone() };
        Ok(Slice {
            checked: count(holds.len()),
            differences: settled(found, &left),
            next: at.seen.next.map(|slot| Place::LedgerHolds { slot }).into_iter().collect(),
            oldest_hold: holds.iter().map(|hold| hold.made).min(),
        })
    }

    async fn holds_differ(&self, seq: u64, holds: &[OpenHold]) -> Step<Vec<Difference>> {
        let rows = self.books.books_holds(holds.iter().map(|hold| hold.made_seq).collect()).await?;
        same_position(rows.position, seq)?;
        let pairs = holds.iter().zip(&rows.rows);
        Ok(pairs.flat_map(|(hold, row)| compare_hold(Some(hold), row.as_ref())).collect())
    }

    /// Rounds of the database that the ledger does not know, and movements that do not add up.
    async fn book_rounds(&self, after: RoundKey, fix: Option<&AuditStamp>) -> Step<Slice> {
        let rows = self.books.books_rounds_after(after).await?;
        let Some(last) = rows.last() else { return Ok(Slice::default()) };
        let mut slice = Slice { checked: count(rows.len()), ..Slice::default() };
        slice.next.push(Place::BookRounds { after: (last.view.pool, last.view.round) });
        let unsummed: HashSet<RoundKey> = rows
            .iter()
            .filter(|row| !compare_moved(&row.view, row.moved).is_empty())
            .map(|row| (row.view.pool, row.view.round))
            .collect();
        let keys: Vec<RoundKey> = rows.iter().map(|row| (row.view.pool, row.view.round)).collect();
        let known = self.look(move |ledger| ledger.rounds_of(&keys, 0)).await?;
        let strange = rows.iter().filter(|row| row.current || row.view.held > 0);
        let strange =
            strange.map(|row| (row.view.pool, row.view.round)).filter(|key| !known.contains_key(key));
        let suspects: BTreeSet<RoundKey> = strange.chain(unsummed).collect();
        let suspects: Vec<RoundKey> = suspects.into_iter().collect();
        if suspects.is_empty() {
            return Ok(slice);
        }
        let asked = suspects.clone();
        let at = self.at_one(move |ledger| ledger.rounds_of(&asked, 0)).await?;
        let found = self.suspects_differ(at.seq, &suspects, &at.seen).await?;
        // What is still held in a round that the ledger has let go of was moved out of it: the movements say where to.
        // Of any other round that the ledger does not know nothing can be said, and it stays as it is.
        let let_go = found.iter().filter(|found| found.what == What::Held).filter_map(round_of);
        let remedy = Remedy {
            rounds: suspects.iter().filter_map(|key| at.seen.get(key)).cloned().collect(),
            let_go: let_go.collect(),
            ..Remedy::default()
        };
        let corrected = self.correct(at.seq, &found, &remedy, fix).await?;
        let left =
            if corrected { self.suspects_differ(at.seq, &suspects, &at.seen).await? } else { found.clone() };
        slice.differences = settled(found, &left);
        Ok(slice)
    }

    /// Of rounds that the ledger knows only the sums are told here: the rest is compared from the ledger's side.
    async fn suspects_differ(
        &self,
        seq: u64,
        suspects: &[RoundKey],
        known: &HashMap<RoundKey, RoundBook>,
    ) -> Step<Vec<Difference>> {
        let rows = self.books.books_moved(suspects.to_vec()).await?;
        same_position(rows.position, seq)?;
        let mut found = Vec::new();
        for row in rows.rows.into_iter().flatten() {
            let book = RoundBook { view: row.view, current: row.current, owner_count: 0, owners: None };
            if !known.contains_key(&key_of(&book)) {
                found.extend(compare_round(None, Some(&book)));
            }
            found.extend(compare_moved(&row.view, row.moved));
        }
        Ok(found)
    }

    /// Open holds of the database that the ledger does not have open.
    async fn book_holds(&self, after: OpenPlace, fix: Option<&AuditStamp>) -> Step<Slice> {
        let rows = self.books.books_open_after(after).await?;
        let Some((last, _)) = rows.last() else { return Ok(Slice::default()) };
        let mut slice = Slice { checked: count(rows.len()), ..Slice::default() };
        slice.next.push(Place::BookHolds { after: *last });
        let asked: Vec<(u64, Key)> =
            rows.iter().map(|(at, key)| (at.made_seq.cast_unsigned(), *key)).collect();
        let suspects = self.look(move |ledger| not_open(ledger, asked)).await?;
        if suspects.is_empty() {
            return Ok(slice);
        }
        let at = self.at_one(move |ledger| not_open(ledger, suspects)).await?;
        let made: Vec<u64> = at.seen.iter().map(|(made_seq, _)| *made_seq).collect();
        let differ = async || -> Step<Vec<Difference>> {
            let rows = self.books.books_holds(made.clone()).await?;
            same_position(rows.position, at.seq)?;
            Ok(rows.rows.iter().flat_map(|row| compare_hold(None, row.as_ref())).collect())
        };
        let found = differ().await?;
        let remedy = Remedy { ended: found.iter().filter_map(hold_of).collect(), ..Remedy::default() };
        let corrected = self.correct(at.seq, &found, &remedy, fix).await?;
        let left = if corrected { differ().await? } else { found.clone() };
        slice.differences = settled(found, &left);
        Ok(slice)
    }

    /// Writes the corrections, if that is asked for and there is something to correct; answers whether it did.
    pub(super) async fn correct(
        &self,
        seq: u64,
        found: &[Difference],
        remedy: &Remedy,
        fix: Option<&AuditStamp>,
    ) -> Step<bool> {
        let (Some(signed), false) = (fix, found.is_empty()) else { return Ok(false) };
        let owner = |found: &Difference| match found.row {
            BookRow::Owner { pool, round, owner } => {
                let units = found.ledger.as_ref().and_then(|units| units.parse().ok())?;
                Some((pool, round, owner, units))
            }
            BookRow::Round { .. }
            | BookRow::Hold { .. }
            | BookRow::Order { .. }
            | BookRow::Play { .. }
            | BookRow::Prize { .. } => None,
        };
        let mut holds = Vec::with_capacity(remedy.holds.len());
        for hold in &remedy.holds {
            holds.push((hold.clone(), self.texts(hold).await?));
        }
        let step = Correct {
            at: seq,
            rounds: remedy.rounds.clone(),
            owners: found.iter().filter_map(owner).collect(),
            holds,
            ended: remedy.ended.clone(),
            orders: remedy.orders.clone(),
            let_go: remedy.let_go.clone(),
            summed: Vec::new(),
            plays: remedy.plays.clone(),
            found: found.to_vec(),
            signed: signed.clone(),
        };
        if self.books.books_correct(step).await? {
            Ok(true)
        } else {
            Err(Stop::GivenUp("the projection went on while a correction was made".to_owned()))
        }
    }

    /// What the journal said when the hold was made, while it still has that event.
    async fn texts(&self, hold: &OpenHold) -> Step<Option<HoldTexts>> {
        let event = self.projector.event(hold.made_seq).await?;
        let Some(Change::Reserved { key, id, caller, owner, .. }) = event.map(|event| event.change) else {
            return Ok(None);
        };
        let owner = owner.map(|owner| owner.text.as_str().to_owned());
        Ok((key == hold.key).then(|| HoldTexts { id: id.as_str().to_owned(), caller, owner }))
    }

    async fn look<T: Send + 'static>(&self, look: impl FnOnce(&Ledger) -> T + Send + 'static) -> Step<T> {
        let seen = self.writer.look(AUDITS, look).await;
        seen.map_err(|why| Stop::GivenUp(format!("the ledger does not answer: {why:?}")))
    }

    /// Looks at the ledger, and stops the projection at the event it was looked at.
    pub(super) async fn at_one<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Ledger) -> T + Send + 'static,
    ) -> Step<AtOne<'_, T>> {
        let held = self.projector.barrier().hold().await;
        let (seq, seen) = self.look(move |ledger| (ledger.seq(), look(ledger))).await?;
        // A projection that fails will not come there however long it is waited for.
        for patience in [SHORT_PATIENCE, PATIENCE] {
            if held.go_on_to(seq, patience).await {
                return Ok(AtOne { _held: held, seq, seen });
            }
            if self.projector.trouble().is_some() {
                break;
            }
        }
        let why = self.projector.trouble().unwrap_or_else(|| "it is too far behind".to_owned());
        Err(Stop::Stuck(format!("the projection did not come to event {seq} in time: {why}")))
    }
}

/// Those that are not open under this key and of this event.
fn not_open(ledger: &Ledger, asked: Vec<(u64, Key)>) -> Vec<(u64, Key)> {
    let open = |made_seq: u64, key: Key| ledger.open_hold(key).is_some_and(|hold| hold.made_seq == made_seq);
    asked.into_iter().filter(|(made_seq, key)| !open(*made_seq, *key)).collect()
}

pub(super) fn same_position(read: u64, wanted: u64) -> Step<()> {
    if read == wanted {
        return Ok(());
    }
    Err(Stop::GivenUp(format!("the rows are at event {read}, the ledger was looked at at {wanted}")))
}

/// Each difference with whether it is gone.
pub(super) fn settled(found: Vec<Difference>, left: &[Difference]) -> Vec<(Difference, bool)> {
    let left: HashSet<(What, BookRow)> = left.iter().map(|left| (left.what, left.row)).collect();
    let gone = |found: &Difference| !left.contains(&(found.what, found.row));
    found.into_iter().map(|found| (gone(&found), found)).map(|(gone, found)| (found, gone)).collect()
}

fn key_of(book: &RoundBook) -> RoundKey {
    (book.view.pool, book.view.round)
}

/// The round whose own row differs; an owner's row is corrected for itself.
fn round_of(found: &Difference) -> Option<RoundKey> {
    match found.row {
        BookRow::Round { pool, round } => Some((pool, round)),
        BookRow::Owner { .. }
        | BookRow::Hold { .. }
        | BookRow::Order { .. }
        | BookRow::Play { .. }
        | BookRow::Prize { .. } => None,
    }
}

fn hold_of(found: &Difference) -> Option<u64> {
    match found.row {
        BookRow::Hold { made_seq, .. } => Some(made_seq),
        BookRow::Round { .. }
        | BookRow::Owner { .. }
        | BookRow::Order { .. }
        | BookRow::Play { .. }
        | BookRow::Prize { .. } => None,
    }
}

/// A round with many owners, in ranges of their digests. Digests are spread evenly, and the database keeps owners in
/// their order.
fn parts(book: &RoundBook) -> Vec<Place> {
    let (pool, round) = key_of(book);
    let parts = i128::try_from(book.owner_count / OWNERS_PART + 1).unwrap_or(1);
    let edge = |part: i128| {
        let edge = i128::from(i64::MIN) + (1_i128 << 64) * part / parts;
        i64::try_from(edge).unwrap_or(i64::MAX)
    };
    let part = |part: i128| {
        let to = if part + 1 == parts { i64::MAX } else { edge(part + 1) - 1 };
        Place::LedgerOwners { pool, round, from: edge(part), to }
    };
    (0..parts).map(part).collect()
}

pub(super) fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
