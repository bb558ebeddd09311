//! Ways in which stock was lost, sold twice or made up elsewhere, and that none of them is one here. Each test is named
//! after its line in `docs/holes.md`.

use std::fs;

use domain::ledger::{Answer, HoldState, Ledger, Limits, PoolRefusal, Quantity, Refusal};
use domain::time::Timestamp;
use ledger::NoAnswer;
use ledger::core::Core;

use crate::place::Place;
use crate::rows::{Table, check};
use crate::support::{POOL, ROOMY, accepted, ask, hold, hold_state, open, poll_once, reserve, until};

const HOUR_MS: i64 = 3_600_000;

/// A reservation's life ends: its stock is returned, and the same id takes nothing a second time.
#[test]
fn hole_01_an_expired_reservation_returns_its_stock_and_stays_expired() {
    check(
        "open p 10                      -> open
         reserve a p:3 ttl 100          -> held
         at 100
         confirm a                      -> expired
         at 1000
         swept p                        -> 10=10+0+0
         reserve a p:3 ttl 100          -> expired again
         restart
         reserve a p:3 ttl 100          -> expired again
         confirm a                      -> expired
         pool p                         -> 10=10+0+0",
    );
}

/// A retry with another quantity is told so, not "success".
#[test]
fn hole_02_another_quantity_under_the_same_id_is_a_conflict() {
    check(
        "open p 10                      -> open
         reserve a p:3                  -> held
         reserve a p:5                  -> conflict
         restart
         reserve a p:5                  -> conflict
         reserve a p:3                  -> held again
         pool p                         -> 10=7+3+0",
    );
}

/// However late the retry is: after the confirmation, after a restart, after the hold has left memory.
#[test]
fn hole_03_a_late_retry_deducts_nothing() {
    check(
        "open p 10                      -> open
         reserve a p:3                  -> held
         confirm a                      -> confirmed
         reserve a p:3                  -> confirmed again
         restart
         reserve a p:3                  -> confirmed again
         confirm a                      -> confirmed again
         left a
         reserve a p:3                  -> look_up
         pool p                         -> 10=7+0+3",
    );
}

/// A reservation that was delayed past its own cancellation finds its id spent.
#[test]
fn hole_04_a_reservation_after_its_cancellation_stays_dead() {
    check(
        "open p 10                      -> open
         cancel a                       -> cancelled
         reserve a p:3                  -> already_cancelled
         restart
         reserve a p:3                  -> already_cancelled
         pool p                         -> 10=10+0+0
         left a
         reserve a p:3                  -> look_up
         pool p                         -> 10=10+0+0",
    );
}

/// The id is the caller's, so a retry is the same purchase; and a person who comes with a new id meets the limit.
#[test]
fn hole_05_a_retry_buys_once_and_a_person_is_limited() {
    check(
        "open p 10 max 1                -> open
         reserve a p:1 by ann           -> held
         reserve a p:1 by ann           -> held again
         reserve b p:1 by ann           -> limit_reached
         confirm a                      -> confirmed
         reserve b p:1 by ann           -> limit_reached
         restart
         reserve b p:1 by ann           -> limit_reached
         reserve b p:1 by bob           -> held
         pool p                         -> 10=8+1+1",
    );
}

#[test]
fn hole_06_two_lines_on_one_pool_are_both_paid_for() {
    check(
        "open p 3                       -> open
         reserve a p:2,p:2              -> sold_out
         reserve a p:2,p:1              -> held
         reserve b p:1                  -> sold_out
         pool p                         -> 3=0+3+0
         cancel a                       -> cancelled
         pool p                         -> 3=3+0+0",
    );
}

/// A quantity is a positive whole number below a bound, or it cannot be written down: there is no command that holds
/// −50, and fractions and "not a number" have no type here.
#[test]
fn hole_07_a_quantity_is_a_positive_whole_number() {
    for units in [0, -1, -50, i64::MIN, 1_000_000_001, 1 << 53, i64::MAX] {
        assert_eq!(Quantity::new(units), None, "{units}");
    }
    check(
        "open p 1125899906842624        -> open
         open q 1125899906842625        -> total_too_large
         reserve a p:1000000000,p:1     -> quantity_too_large
         adjust p 1                     -> total_too_large
         reserve a p:1000000000         -> held
         pool p                         -> 1125899906842624=1125898906842624+1000000000+0
         confirm a p:1                  -> confirmed
         pool p                         -> 1125899906842624=1125899906842623+0+1",
    );
}

/// A pool that is not there is not one that is sold out, also after a restart; and an id that has left memory deducts
/// nothing again: it is looked up first.
#[test]
fn hole_08_what_is_missing_is_not_sold_out() {
    check(
        "reserve a p:1                  -> pool_unknown
         open p 1                       -> open
         reserve a p:1                  -> held
         reserve b p:1                  -> sold_out
         reserve b q:1                  -> pool_unknown
         confirm a                      -> confirmed
         restart
         reserve b q:1                  -> pool_unknown
         reserve b p:1                  -> sold_out
         left a
         reserve a p:1                  -> look_up
         pool p                         -> 1=0+0+1",
    );
}

/// However many pools a command names, it is one event: all of them change, or none.
#[test]
fn hole_09_a_command_on_many_pools_is_one_event() {
    check(
        "open p 2                       -> open
         open q 2                       -> open
         open r 1                       -> open
         reserve a p:1,q:1,r:2          -> sold_out
         reserve a p:1,q:1,s:1          -> pool_unknown
         reserve a p:1,q:1,r:1          -> held
         restart
         pool p                         -> 2=1+1+0
         pool q                         -> 2=1+1+0
         pool r                         -> 1=0+1+0
         cancel a                       -> cancelled
         restart
         pool p                         -> 2=2+0+0
         pool q                         -> 2=2+0+0
         pool r                         -> 1=1+0+0",
    );
}

/// A commit whose outcome is unknown leaks nothing: the same id finds out, and takes once.
#[tokio::test]
async fn hole_10_an_unknown_commit_is_settled_by_the_same_id() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(1_000)).await.unwrap();
    ledger.set_journal_pages_max(1);
    let mut unknown = Vec::new();
    for n in 0..500 {
        let id = format!("unknown/{n}");
        match ask(&ledger, reserve(&id, 1, HOUR_MS)).await {
            Ok(_) => {}
            Err(NoAnswer::Unknown) => unknown.push(id),
            Err(_) if !unknown.is_empty() => break,
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(!unknown.is_empty());
    ledger.set_journal_pages_max(ROOMY);
    until("the trouble is over", || ledger.trouble().is_none()).await;
    let before = place.pool();
    for id in &unknown {
        let first = ask(&ledger, reserve(id, 1, HOUR_MS)).await.unwrap();
        assert_eq!(hold_state(&first), Some(HoldState::Held), "{id}");
        let again = ask(&ledger, reserve(id, 1, HOUR_MS)).await.unwrap();
        assert!(matches!(again, Answer::Replayed(_)), "{id}: {again:?}");
    }
    let pool = place.pool();
    assert!(pool.held <= before.held + unknown.len() as u64);
    assert_eq!(pool.total, pool.available + pool.held);
    assert!(unknown.iter().all(|id| place.replayed().hold(hold(id)).is_some()));
}

/// A shortage on the second line takes nothing of the first, and a caller who stops waiting leaks nothing either.
#[tokio::test]
async fn hole_11_a_shortage_or_a_timeout_leaks_nothing() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(10)).await.unwrap();
    let mut given_up = Box::pin(ask(&ledger, reserve("late", 2, HOUR_MS)));
    let _ = poll_once(&mut given_up);
    drop(given_up);
    let again = ask(&ledger, reserve("late", 2, HOUR_MS)).await.unwrap();
    assert_eq!(hold_state(&again), Some(HoldState::Held));
    assert_eq!((place.pool().available, place.pool().held), (8, 2), "taken once");
}

#[test]
fn hole_11_a_shortage_on_one_line_takes_nothing_of_the_others() {
    check(
        "open p 10                      -> open
         open q 1                       -> open
         reserve a p:3,q:2              -> sold_out
         reserve a p:3,r:1              -> pool_unknown
         pool p                         -> 10=10+0+0
         pool q                         -> 1=1+0+0",
    );
}

/// A restart in the middle of a sale, with a database that has heard of nothing, erases no hold.
#[test]
fn hole_12_a_restart_in_the_middle_of_a_sale_erases_nothing() {
    let mut table = Table::new();
    table.check("open p 20 -> open");
    for life in 0..5 {
        for n in 0..3 {
            table.check(&format!("reserve {life}/{n} p:1 -> held"));
        }
        table.check(&format!(
            "confirm {life}/0 -> confirmed
             cancel {life}/1  -> cancelled
             restart
             confirm {life}/0 -> confirmed again
             cancel {life}/1  -> cancelled again"
        ));
    }
    table.check(
        "pool p             -> 20=10+5+5
         reserve rest p:11  -> sold_out
         reserve rest p:10  -> held",
    );
}

/// Nothing is scanned: whatever else is open, expiry takes what is due, a bounded number at a time, and knows when to
/// come again.
#[test]
fn hole_13_expiry_looks_only_at_what_is_due() {
    let mut core = Core::begin(Ledger::new(Limits::default()), 1, Timestamp(0));
    core.decide(Timestamp(0), &open(100_000));
    for n in 0..50_000 {
        core.decide(Timestamp(0), &reserve(&format!("later {n}"), 1, HOUR_MS));
    }
    for n in 0..150 {
        core.decide(Timestamp(0), &reserve(&format!("soon {n}"), 1, 1_000));
    }
    assert_eq!(core.expire(Timestamp(999)), 0, "never early");
    let steps: Vec<usize> =
        std::iter::from_fn(|| Some(core.expire(Timestamp(2_000))).filter(|ended| *ended > 0)).collect();
    assert_eq!(steps, [64, 64, 22]);
    assert_eq!(core.ledger().open_holds(), 50_000);
    assert!(core.ledger().next_expiry().is_some_and(|at| at >= Timestamp(HOUR_MS)), "no look before that");
}

/// The same by the clock: with two hundred times as many holds open, ending those that are due takes no longer. A scan would
/// take two hundred times as long; compared are the best of several runs, so that a busy machine changes nothing.
#[test]
fn hole_13_expiry_costs_the_same_however_many_are_open() {
    // The quickest of many tries, which a busy machine did not interrupt.
    let best = |others: usize| {
        let mut core = Core::begin(Ledger::new(Limits::default()), 1, Timestamp(0));
        core.decide(Timestamp(0), &open(1_000_000));
        for n in 0..others {
            core.decide(Timestamp(0), &reserve(&format!("later {n}"), 1, HOUR_MS));
        }
        let expire = |at: i64| {
            for n in 0..64 {
                core.decide(Timestamp(at), &reserve(&format!("soon {at}/{n}"), 1, 1_000));
            }
            let started = std::time::Instant::now();
            assert_eq!(core.expire(Timestamp(at + 2_000)), 64);
            assert_eq!(core.expire(Timestamp(at + 2_000)), 0);
            started.elapsed()
        };
        (0..60).map(|n| n * 2_000).map(expire).min().unwrap()
    };
    let (few, many) = (best(200), best(40_000));
    assert!(many < few * 40, "{many:?} among 40,000 open holds, {few:?} among 200");
}

/// What was acknowledged is on the disk at that moment: a copy of the files, taken without any goodbye, has it.
#[tokio::test]
async fn hole_17_what_was_acknowledged_survives_the_process() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(20)).await.unwrap();
    for n in 0..10 {
        let id = format!("h{n}");
        assert!(accepted(&ask(&ledger, reserve(&id, 1, HOUR_MS)).await));
        let copy = Place::new();
        for file in fs::read_dir(place.path.parent().unwrap()).unwrap().map(Result::unwrap) {
            // The index of the write-ahead log is memory, not disk: it is not there after a crash.
            if !file.file_name().to_string_lossy().ends_with("-shm") {
                fs::copy(file.path(), copy.path.with_file_name(file.file_name())).unwrap();
            }
        }
        let pool = copy.replayed().pool(POOL).unwrap();
        assert_eq!((pool.available, pool.held), (19 - n, n + 1), "{id}");
    }
}

#[test]
fn hole_18_an_old_round_never_credits_the_next() {
    check(
        "open p 10                      -> open
         reserve a p:4                  -> held
         reserve b p:3 ttl 100          -> held
         reserve c p:2                  -> held
         close p                        -> closed
         open p 5 round 2               -> open
         restart
         cancel a                       -> cancelled
         confirm c                      -> confirmed
         at 1000
         reserve d p:5                  -> held
         reserve e p:1                  -> sold_out
         restart
         confirm b                      -> expired
         pool p                         -> 5=0+5+0",
    );
}

/// There is no "take, then put back": a shortage changes nothing, and a restock is sellable at once.
#[test]
fn hole_20_a_shortage_changes_nothing_and_a_restock_shows_at_once() {
    check(
        "open p 1                       -> open
         reserve a p:2                  -> sold_out
         reserve b p:2                  -> sold_out
         reserve c p:2                  -> sold_out
         pool p                         -> 1=1+0+0
         adjust p 1                     -> open
         reserve a p:2                  -> held
         restart
         pool p                         -> 2=0+2+0",
    );
}

/// A start loads what is left, not the total; and a shortage leaves nothing behind that a later stock would trip over.
#[test]
fn hole_23_a_restart_knows_what_is_left() {
    check(
        "reserve a p:1                  -> pool_unknown
         restart
         open p 2                       -> open
         reserve a p:2                  -> held
         confirm a                      -> confirmed
         restart
         reserve b p:1                  -> sold_out
         restart
         pool p                         -> 2=0+0+2
         adjust p 1                     -> open
         reserve b p:1                  -> held",
    );
}

/// A lock per unit leaks the unit when it fails, sells it again or never again. Here units are counted and have no
/// numbers: what failed took none, what is returned is any unit, and what is restocked is sold like any other.
#[test]
fn hole_24_there_are_counts_and_no_slots() {
    check(
        "open p 2                       -> open
         reserve a p:1 ttl 100          -> held
         reserve b p:1                  -> held
         reserve c p:1                  -> sold_out
         at 1000
         swept p                        -> 2=1+1+0
         reserve c p:1                  -> held
         cancel b                       -> cancelled
         restart
         reserve a p:1 ttl 100          -> expired again
         reserve d p:1                  -> held
         confirm c                      -> confirmed
         confirm d                      -> confirmed
         reserve e p:1                  -> sold_out
         adjust p 2                     -> open
         reserve e p:2                  -> held
         cancel e                       -> cancelled
         reserve f p:2                  -> held
         pool p                         -> 4=0+2+2",
    );
}

/// The limit is the pool's own and is judged where the stock is: no request carries one. A retry after a timeout is the
/// same request.
#[test]
fn hole_25_the_limit_is_the_pools_own() {
    check(
        "open p 10 max 2                -> open
         reserve a p:2 by ann           -> held
         limit p 3                      -> open
         reserve b p:1 by ann           -> held
         limit p 1                      -> open
         reserve c p:1 by ann           -> limit_reached
         reserve c p:2 by bob           -> limit_reached
         reserve c p:1 by bob           -> held
         restart
         reserve d p:1 by bob           -> limit_reached
         reserve c p:1 by bob           -> held again
         pool p                         -> 10=6+4+0",
    );
}

/// What is held is a figure of its own, so the books balance after every step, and a leak would show.
#[test]
fn hole_26_the_books_balance_after_every_step() {
    check(
        "open p 10                      -> open
         pool p                         -> 10=10+0+0
         reserve a p:4                  -> held
         pool p                         -> 10=6+4+0
         reserve b p:2                  -> held
         pool p                         -> 10=4+6+0
         confirm a p:3                  -> confirmed
         pool p                         -> 10=5+2+3
         cancel b                       -> cancelled
         pool p                         -> 10=7+0+3
         adjust p -7                    -> open
         pool p                         -> 3=0+0+3",
    );
}

/// An operator returns the stock by hand while the message is only late: one of the two applies.
#[test]
fn hole_27_a_return_by_hand_and_a_late_message_do_not_both_apply() {
    check(
        "open p 10                      -> open
         reserve a p:3 ttl 100          -> held
         cancel a                       -> cancelled        // by hand
         confirm a                      -> already_cancelled // the late message
         cancel a                       -> cancelled again
         at 1000                        // and its time runs out as well
         reserve b p:3                  -> held
         confirm b                      -> confirmed
         cancel b                       -> already_confirmed // by hand, too late
         restart
         pool p                         -> 10=7+0+3",
    );
}

/// Cancelled before it came, cancelled and timed out, paid after it was cancelled: each has one outcome.
#[test]
fn hole_28_every_meeting_of_cancel_timeout_and_payment_has_one_outcome() {
    check(
        "open p 10                      -> open
         cancel a                       -> cancelled
         reserve a p:1                  -> already_cancelled
         reserve b p:1 ttl 100          -> held
         cancel b                       -> cancelled
         confirm b                      -> already_cancelled
         reserve c p:1 ttl 100          -> held
         at 100
         confirm c                      -> expired
         at 1000
         swept p                        -> 10=10+0+0
         cancel c                       -> expired
         confirm c                      -> expired
         reserve d p:1                  -> held
         confirm d                      -> confirmed
         cancel d                       -> already_confirmed
         restart
         pool p                         -> 10=9+0+1",
    );
}

/// Stock can be added and taken away while a sale runs; hoarding is limited in number and in time.
#[test]
fn hole_29_restock_is_possible_and_hoarding_is_limited() {
    check(
        "open p 2 max 2                 -> open
         reserve a p:2 by ann           -> held
         reserve b p:1 by bob           -> sold_out
         adjust p 3                     -> open
         adjust p -4                    -> not_free
         adjust p -1                    -> open
         reserve b p:1 by bob           -> held
         reserve c p:1 by ann           -> limit_reached
         reserve c p:1 by cho ttl 604800001 -> ttl_out_of_range
         extend a 2592000001            -> extend_too_far
         extend a 2592000000            -> held
         pool p                         -> 4=1+3+0",
    );
}

/// What one answer said about a shortage is nothing the ledger keeps.
#[tokio::test]
async fn hole_20_a_refusal_is_not_remembered() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(1)).await.unwrap();
    let durable = ledger.durable();
    for _ in 0..5 {
        let answer = ask(&ledger, reserve("big", 2, HOUR_MS)).await;
        assert_eq!(answer, Ok(Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { pool: POOL, left: 1 }))));
    }
    assert_eq!(ledger.durable(), durable, "a refusal is not written down");
}
