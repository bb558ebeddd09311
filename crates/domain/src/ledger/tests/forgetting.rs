//! What has been projected leaves memory, and its id is never applied twice.

use super::check;
use crate::ledger::*;
use crate::time::Timestamp;

#[test]
fn a_forgotten_id_is_looked_up_before_it_is_decided() {
    check(
        "open p 10                      -> open
         reserve a p:3                  -> held
         reserve b p:3                  -> held
         confirm a                      -> confirmed
         forget                         -> 2              // the opening and the confirmed hold
         reserve a p:3                  -> look_up
         confirm a                      -> look_up
         cancel a                       -> look_up
         extend a 500                   -> look_up
         reserve b p:3                  -> held again     // open holds stay
         reserve c p:3                  -> held           // a fresh id costs no look-up
         pool p                         -> 10=1+6+3",
    );
}

#[test]
fn tombstones_and_pool_commands_are_remembered_too() {
    check(
        "open p 10 #1                   -> open
         cancel a                       -> cancelled
         adjust p 1 #2                  -> open
         forget                         -> 3
         reserve a p:1                  -> look_up
         adjust p 1 #2                  -> look_up
         open p 10 #1                   -> look_up
         pool p                         -> 11=11+0+0",
    );
}

/// Two ids that share a fingerprint: the filter cannot tell them apart, the database can.
#[test]
fn what_the_database_does_not_know_is_decided() {
    let (old, new) = (Key(7 << 64 | 1), Key(7 << 64 | 2));
    let mut ledger = Ledger::new(Limits::default());
    let open = Command::direct(
        Key(1),
        Note::default(),
        Act::PoolOpen {
            pool: PoolId(1),
            name: PoolName::new("tea").unwrap(),
            round: 1,
            total: 10,
            owner_max: 0,
        },
    );
    let reserve = |key| Command::Reserve {
        key,
        id: Text::new("x").unwrap(),
        caller: 1,
        owner: None,
        lines: vec![Line { pool: PoolId(1), quantity: Quantity::new(1).unwrap() }],
        ttl_ms: 1_000,
        gates: Vec::new(),
    };
    let now = Timestamp(0);
    assert!(matches!(ledger.apply(now, &open), Answer::Accepted { .. }));
    assert!(matches!(ledger.apply(now, &reserve(old)), Answer::Accepted { .. }));
    let confirm = Command::Confirm { hold: old, take: Take::All };
    assert!(matches!(ledger.apply(now, &confirm), Answer::Accepted { .. }));
    let asked_at = ledger.seq() - 1;
    ledger.forget(ledger.seq(), usize::MAX);

    assert_eq!(ledger.apply(now, &reserve(new)), Answer::LookUp);
    // The database was asked before the last record left memory: what it said may be out of date.
    assert_eq!(ledger.apply_after_look_up(now, &reserve(new), Some(asked_at)), Answer::LookUp);
    let answer = ledger.apply_after_look_up(now, &reserve(new), Some(ledger.seq()));
    assert!(matches!(answer, Answer::Accepted { .. }), "{answer:?}");
}
