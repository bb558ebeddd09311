//! What differs between the two sides of one row. Both were read at the same position; nothing is excused.

use std::num::NonZeroU64;

use super::difference::{BookRow, Difference, What};
use super::piece::{Owners, RoundBook};
use crate::ledger::{CommandDigest, Key, LineView, OpenHold, PoolId, PoolView, TakenLine};
use crate::time::Timestamp;

/// A hold as the database has it, open or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldRow {
    pub made_seq: u64,
    pub key: Key,
    /// As the caller named it.
    pub id: String,
    pub owner: Option<NonZeroU64>,
    pub digest: CommandDigest,
    pub made: Timestamp,
    pub due: Timestamp,
    /// As the column says; an open hold is `held`.
    pub state: String,
    pub lines: Vec<LineView>,
}

impl HoldRow {
    pub fn is_open(&self) -> bool {
        self.state == "held"
    }
}

/// One round. What the ledger has let go of is an old round without open holds: all that can be said of it is that
/// nothing of it is held.
pub fn compare_round(ledger: Option<&RoundBook>, database: Option<&RoundBook>) -> Vec<Difference> {
    let mut found = Found::default();
    match (ledger, database) {
        (None, None) => {}
        (Some(ledger), None) => {
            found.at(round_row(&ledger.view)).add(What::RoundMissing, Some(counters(&ledger.view)), None);
        }
        (None, Some(database)) if database.current => {
            found.at(round_row(&database.view)).add(What::RoundUnknown, None, Some(counters(&database.view)));
        }
        (None, Some(database)) => {
            found.at(round_row(&database.view)).unless_same(What::Held, &0, &database.view.held);
        }
        (Some(ledger), Some(database)) => {
            let (ours, theirs) = (&ledger.view, &database.view);
            let rows = found.at(round_row(ours));
            rows.unless_same(What::RoundCurrent, &ledger.current, &database.current);
            rows.unless_same(What::PoolState, ours.state.name(), theirs.state.name());
            rows.unless_same(What::OwnerMax, &ours.owner_max, &theirs.owner_max);
            rows.unless_same(What::Total, &ours.total, &theirs.total);
            rows.unless_same(What::Available, &ours.available, &theirs.available);
            rows.unless_same(What::Held, &ours.held, &theirs.held);
            rows.unless_same(What::Taken, &ours.taken, &theirs.taken);
            if let (Some(ours), Some(theirs)) = (&ledger.owners, &database.owners) {
                found.list.extend(compare_owners((ledger.view.pool, ledger.view.round), ours, theirs));
            }
        }
    }
    found.list
}

/// Owners of one round; whoever one side does not have, has nothing there.
pub fn compare_owners((pool, round): (PoolId, u32), ledger: &Owners, database: &Owners) -> Vec<Difference> {
    let mut found = Found::default();
    let mut check = |owner: &NonZeroU64| {
        let units = |owners: &Owners| owners.get(owner).copied().unwrap_or(0);
        found.at(BookRow::Owner { pool, round, owner: owner.get() }).unless_same(
            What::OwnerUnits,
            &units(ledger),
            &units(database),
        );
    };
    ledger.keys().for_each(&mut check);
    database.keys().filter(|owner| !ledger.contains_key(owner)).for_each(check);
    found.list
}

/// A round's counters and the sums of its movements: total, available, held, taken.
pub fn compare_moved(view: &PoolView, moved: [i64; 4]) -> Vec<Difference> {
    let mut found = Found::default();
    let whats = [What::MovedTotal, What::MovedAvailable, What::MovedHeld, What::MovedTaken];
    let counted = [view.total, view.available, view.held, view.taken];
    for ((what, counted), moved) in whats.into_iter().zip(counted).zip(moved) {
        found.at(round_row(view)).unless_same(what, &i128::from(counted), &i128::from(moved));
    }
    found.list
}

/// One hold: open for the ledger or not at all there, and whatever the database has of it.
pub fn compare_hold(ledger: Option<&OpenHold>, database: Option<&HoldRow>) -> Vec<Difference> {
    let mut found = Found::default();
    match (ledger, database) {
        (None, None) => {}
        (None, Some(row)) => {
            if row.is_open() {
                let place = BookRow::Hold { made_seq: row.made_seq, key: row.key };
                found.at(place).add(What::HoldUnknown, None, Some(format!("{} {}", row.id, row.state)));
            }
        }
        (Some(hold), None) => {
            let place = BookRow::Hold { made_seq: hold.made_seq, key: hold.key };
            found.at(place).add(What::HoldMissing, Some("held".to_owned()), None);
        }
        (Some(hold), Some(row)) => {
            let hex = |bits: u64| format!("{bits:016x}");
            let owner = |owner: Option<NonZeroU64>| hex(owner.map_or(0, NonZeroU64::get));
            let rows = found.at(BookRow::Hold { made_seq: hold.made_seq, key: hold.key });
            rows.unless_same(What::HoldState, "held", row.state.as_str());
            rows.unless(hold.key == row.key, What::HoldKey, || {
                (format!("{:032x}", hold.key), format!("{:032x}", row.key))
            });
            rows.unless(hold.digest == row.digest, What::HoldBody, || {
                (hex(hold.digest.0), hex(row.digest.0))
            });
            rows.unless(hold.owner == row.owner, What::HoldOwner, || (owner(hold.owner), owner(row.owner)));
            rows.unless_same(What::HoldMade, &hold.made.0, &row.made.0);
            rows.unless_same(What::HoldDue, &hold.due.0, &row.due.0);
            rows.unless(same_lines(hold, row), What::HoldLines, || (held_lines(hold), row_lines(row)));
        }
    }
    found.list
}

#[derive(Default)]
struct Found {
    row: Option<BookRow>,
    list: Vec<Difference>,
}

impl Found {
    fn at(&mut self, row: BookRow) -> &mut Self {
        self.row = Some(row);
        self
    }

    fn add(&mut self, what: What, ledger: Option<String>, database: Option<String>) {
        if let Some(row) = self.row {
            self.list.push(Difference { what, row, ledger, database });
        }
    }

    /// The texts are made only where they are needed: a pass compares millions of rows.
    fn unless(&mut self, same: bool, what: What, sides: impl FnOnce() -> (String, String)) {
        if !same {
            let (ledger, database) = sides();
            self.add(what, Some(ledger), Some(database));
        }
    }

    fn unless_same<T: PartialEq + ToString + ?Sized>(&mut self, what: What, ledger: &T, database: &T) {
        if ledger != database {
            self.add(what, Some(ledger.to_string()), Some(database.to_string()));
        }
    }
}

fn round_row(view: &PoolView) -> BookRow {
    BookRow::Round { pool: view.pool, round: view.round }
}

fn counters(view: &PoolView) -> String {
    format!("{} = {} + {} + {}", view.total, view.available, view.held, view.taken)
}

fn same_lines(hold: &OpenHold, row: &HoldRow) -> bool {
    let same = |(ours, theirs): (&TakenLine, &LineView)| {
        (ours.pool, ours.round, ours.quantity.units(), 0)
            == (theirs.pool, theirs.round, theirs.units, theirs.taken)
    };
    hold.lines.len() == row.lines.len() && hold.lines.iter().zip(&row.lines).all(same)
}

fn held_lines(hold: &OpenHold) -> String {
    let line = |line: &TakenLine| line_text(line.pool, line.round, line.quantity.units(), 0);
    hold.lines.iter().map(line).collect::<Vec<_>>().join(", ")
}

fn row_lines(row: &HoldRow) -> String {
    let line = |line: &LineView| line_text(line.pool, line.round, line.units, line.taken);
    row.lines.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// An open hold has nothing taken, so that is said only when it is wrong.
fn line_text(pool: PoolId, round: u32, units: u32, taken: u32) -> String {
    let taken = if taken == 0 { String::new() } else { format!(" ({taken} taken)") };
    format!("{units} of {}/{round}{taken}", pool.0)
}

#[cfg(test)]
mod rows {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ledger::{PoolState, Quantity};

    const POOL: PoolId = PoolId(5);

    fn book([total, available, held, taken]: [u64; 4], owner: u32) -> RoundBook {
        let view = PoolView {
            pool: POOL,
            round: 2,
            state: PoolState::Open,
            owner_max: 3,
            total,
            available,
            held,
            taken,
        };
        let owners: Owners = NonZeroU64::new(0xab).map(|id| (id, owner)).into_iter().collect();
        RoundBook { view, current: true, owner_count: 1, owners: Some(owners) }
    }

    fn good() -> RoundBook {
        book([10, 5, 3, 2], 4)
    }

    fn hold() -> OpenHold {
        OpenHold {
            key: Key(0x77),
            digest: CommandDigest(1),
            made_seq: 9,
            owner: NonZeroU64::new(0xab),
            made: Timestamp(100),
            due: Timestamp(200),
            lines: vec![TakenLine { pool: POOL, round: 2, quantity: Quantity::new(3).unwrap() }],
        }
    }

    fn row() -> HoldRow {
        HoldRow {
            made_seq: 9,
            key: Key(0x77),
            id: "order 1".to_owned(),
            owner: NonZeroU64::new(0xab),
            digest: CommandDigest(1),
            made: Timestamp(100),
            due: Timestamp(200),
            state: "held".to_owned(),
            lines: vec![LineView { pool: POOL, round: 2, units: 3, taken: 0 }],
        }
    }

    fn told(differences: &[Difference]) -> String {
        differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_round_that_differs_is_named_with_its_row() {
        let change = |change: &dyn Fn(&mut RoundBook)| {
            let mut book = good();
            change(&mut book);
            Some(book)
        };
        let old = |held: u64| {
            let mut book = book([10, 10 - held, held, 0], 0);
            book.current = false;
            Some(book)
        };
        const AT: &str = "pool 5 round 2: the ledger says";
        for (ledger, database, expected) in [
            (None, None, String::new()),
            (Some(good()), Some(good()), String::new()),
            (Some(good()), None, format!("round_missing of {AT} 10 = 5 + 3 + 2, the database nothing")),
            (None, Some(good()), format!("round_unknown of {AT} nothing, the database 10 = 5 + 3 + 2")),
            (None, old(0), String::new()),
            (None, old(4), format!("held of {AT} 0, the database 4")),
            (
                Some(good()),
                Some(book([10, 6, 2, 2], 4)),
                format!("available of {AT} 5, the database 6; held of {AT} 3, the database 2"),
            ),
            (
                Some(good()),
                Some(book([11, 5, 3, 3], 4)),
                format!("total of {AT} 10, the database 11; taken of {AT} 2, the database 3"),
            ),
            (
                Some(good()),
                change(&|book| book.view.state = PoolState::Frozen),
                format!("pool_state of {AT} open, the database frozen"),
            ),
            (
                Some(good()),
                change(&|book| book.view.owner_max = 0),
                format!("owner_max of {AT} 3, the database 0"),
            ),
            (
                Some(good()),
                change(&|book| book.current = false),
                format!("round_current of {AT} true, the database false"),
            ),
            (
                Some(good()),
                Some(book([10, 5, 3, 2], 5)),
                "owner_units of pool 5 round 2 owner 00000000000000ab: the ledger says 4, the database 5"
                    .into(),
            ),
            (
                Some(good()),
                change(&|book| {
                    book.owners = Some(NonZeroU64::new(0xcd).map(|id| (id, 1)).into_iter().collect());
                }),
                "owner_units of pool 5 round 2 owner 00000000000000ab: the ledger says 4, the database 0; \
                 owner_units of pool 5 round 2 owner 00000000000000cd: the ledger says 0, the database 1"
                    .into(),
            ),
            (Some(good()), change(&|book| book.owners = None), String::new()),
        ] {
            assert_eq!(told(&compare_round(ledger.as_ref(), database.as_ref())), expected);
        }
    }

    #[test]
    fn counters_are_what_their_movements_add_up_to() {
        for (moved, expected) in [
            ([10, 5, 3, 2], String::new()),
            (
                [10, 6, 2, 2],
                "moved_available of pool 5 round 2: the ledger says 5, the database 6; \
                 moved_held of pool 5 round 2: the ledger says 3, the database 2"
                    .to_owned(),
            ),
            (
                [7, 5, 3, -1],
                "moved_total of pool 5 round 2: the ledger says 10, the database 7; \
                 moved_taken of pool 5 round 2: the ledger says 2, the database -1"
                    .to_owned(),
            ),
        ] {
            assert_eq!(told(&compare_moved(&good().view, moved)), expected);
        }
    }

    #[test]
    fn a_hold_that_differs_is_named_with_its_row() {
        let change = |change: &dyn Fn(&mut HoldRow)| {
            let mut row = row();
            change(&mut row);
            Some(row)
        };
        const AT: &str = "hold 00000000000000000000000000000077 of event 9: the ledger says";
        for (ledger, database, expected) in [
            (None, None, String::new()),
            (Some(hold()), Some(row()), String::new()),
            (None, change(&|row| row.state = "confirmed".into()), String::new()),
            (Some(hold()), None, format!("hold_missing of {AT} held, the database nothing")),
            (None, Some(row()), format!("hold_unknown of {AT} nothing, the database order 1 held")),
            (
                Some(hold()),
                change(&|row| row.state = "cancelled".into()),
                format!("hold_state of {AT} held, the database cancelled"),
            ),
            (
                Some(hold()),
                change(&|row| row.due = Timestamp(201)),
                format!("hold_due of {AT} 200, the database 201"),
            ),
            (
                Some(hold()),
                change(&|row| row.made = Timestamp(99)),
                format!("hold_made of {AT} 100, the database 99"),
            ),
            (
                Some(hold()),
                change(&|row| row.owner = None),
                format!("hold_owner of {AT} 00000000000000ab, the database 0000000000000000"),
            ),
            (
                Some(hold()),
                change(&|row| row.digest = CommandDigest(2)),
                format!("hold_body of {AT} 0000000000000001, the database 0000000000000002"),
            ),
            (
                Some(hold()),
                change(&|row| row.key = Key(0x78)),
                format!("hold_key of {AT} {:032x}, the database {:032x}", 0x77, 0x78),
            ),
            (
                Some(hold()),
                change(&|row| row.lines[0].taken = 1),
                format!("hold_lines of {AT} 3 of 5/2, the database 3 of 5/2 (1 taken)"),
            ),
            (
                Some(hold()),
                change(&|row| row.lines.clear()),
                format!("hold_lines of {AT} 3 of 5/2, the database "),
            ),
        ] {
            assert_eq!(told(&compare_hold(ledger.as_ref(), database.as_ref())), expected);
        }
    }

    #[test]
    fn names_are_told_apart() {
        let names: BTreeSet<&str> = What::ALL.iter().map(|what| what.name()).collect();
        assert_eq!(names.len(), What::ALL.len());
    }
}
