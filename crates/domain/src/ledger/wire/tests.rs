//! The form is pinned: these bytes were written by the first version and must be read by every later one.

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;
use crate::ids::{ActivityId, UserId};
use crate::ledger::command::{Key, Note, Owner, PoolId, PoolName, Quantity, Text};
use crate::ledger::digest::CommandDigest;
use crate::ledger::directive::Act;
use crate::ledger::event::{Change, Event, PoolState, TakenLine};
use crate::ledger::play::*;
use crate::lottery::chain::{ChainLink, Receipt};
use crate::lottery::random::ClientValue;
use crate::lottery::strategy::PrizeId;
use crate::player_number::PlayerNumber;
use crate::time::Timestamp;

fn every_kind() -> Vec<Event> {
    let (key, hold, pool) = (Key(0x0102_0304), Key(u128::MAX), PoolId(77));
    let (activity, user) = (ActivityId(77), UserId(1 << 40));
    let text = |text: &str| Text::new(text).unwrap();
    let line = |pool, units| TakenLine { pool, round: 2, quantity: Quantity::new(units).unwrap() };
    let prize = |id| PrizeId::new(id).unwrap();
    let terms = |begin| Terms {
        version: 3,
        from: Timestamp(-1),
        until: Timestamp(1_800_000_000_000),
        entries: Some(PoolId(5)),
        limits: ChanceLimits { total: 300, month: 30, day: 1 },
        begin,
    };
    let taking = Taking {
        key: hold,
        digest: CommandDigest(17),
        activity,
        user,
        seat: PlayerNumber::new(70_000).unwrap(),
        first: 200,
        draws: Draws::new(10).unwrap(),
        bonus: 3,
        day: 20_240_229,
        entries: Some(line(PoolId(5), 10)),
    };
    let directed = |digest, note, act| Change::Directed { key, digest: CommandDigest(digest), note, act };
    let changes = vec![
        Change::TermBegan,
        directed(
            9,
            Note::new("开售").unwrap().signed(1_234_567_890_123),
            Act::PoolOpen {
                pool,
                name: PoolName::new("inventory/店/tea").unwrap(),
                round: 2,
                total: 1_000,
                owner_max: 3,
            },
        ),
        directed(10, Note::default(), Act::PoolAdjust { pool, delta: -5 }),
        directed(11, Note::default(), Act::PoolLimit { pool, owner_max: 0 }),
        directed(12, Note::default(), Act::PoolState { pool, state: PoolState::Frozen }),
        Change::Reserved {
            key: hold,
            digest: CommandDigest(13),
            id: text("order-1"),
            caller: -1,
            owner: Some(Owner::new(text("ann"))),
            due: Timestamp(1_700_000_900_005),
            lines: vec![line(pool, 2), line(PoolId(-3), 1)].into(),
        },
        Change::Confirmed { hold, made_seq: 46, taken: vec![2, 0] },
        Change::Cancelled { hold, made_seq: 3 },
        Change::Spent { hold: key, id: text("late"), caller: 8 },
        Change::Extended { hold, made_seq: 46, due: Timestamp(1_700_001_000_000) },
        Change::Expired { hold, made_seq: 1 },
        directed(
            14,
            Note::new("spring").unwrap().signed(9),
            Act::ActivityOpen { activity, round: 2, terms: terms(None) },
        ),
        directed(15, Note::default(), Act::ActivityState { activity, state: ActivityState::Paused }),
        directed(16, Note::default(), Act::Grant { activity, user, chances: 1_000 }),
        directed(
            18,
            Note::new("v2").unwrap().signed(9),
            Act::ActivityTerms { activity, round: 2, terms: terms(Some(ChainLink([7; 32]))) },
        ),
        directed(19, Note::default(), Act::PrizeState { activity, prize: prize(300), withdrawn: true }),
        directed(20, Note::new("stop").unwrap(), Act::Halt { on: true }),
        Change::Drawn(Box::new(Drawing {
            taking: Taking { entries: None, ..taking },
            lines: vec![line(PoolId(6), 1)],
            given: vec![
                GivenPrize { prize: prize(1), units: 1, cost_minor: 99_900, capped: true },
                GivenPrize { prize: prize(4_000), units: 9, cost_minor: 0, capped: false },
            ],
            points: 50,
            misses: 3,
            client: Some(ClientValue([0xa5; 16])),
            before: 10,
            settlement: Settlement::new(b"a record").unwrap(),
            receipt: Receipt { place: 77, link: ChainLink([9; 32]) },
        })),
        Change::Drawn(Box::new(Drawing {
            taking,
            lines: vec![],
            given: vec![],
            points: 0,
            misses: 200,
            client: None,
            before: 0,
            settlement: Settlement::new(b"").unwrap(),
            receipt: Receipt { place: 1, link: ChainLink([0; 32]) },
        })),
        Change::Entered(taking),
        directed(21, Note::default(), Act::Revoke { activity, user, chances: 7 }),
        Change::ClockPutBack,
        Change::TermBegan,
    ];
    let event = |(at, change): (usize, Change)| {
        let at = at as u64;
        let mut when = Timestamp(1_700_000_000_000 + i64::try_from(at).unwrap());
        if matches!(change, Change::ClockPutBack) || (at > 0 && matches!(change, Change::TermBegan)) {
            when = when - 3_600_000;
        }
        // Only a pool's own events carry its id as their route here; the others may carry any.
        let route = match change {
            Change::TermBegan | Change::ClockPutBack | Change::Spent { .. } => PoolId(0),
            _ => pool,
        };
        Event { seq: 41 + at, term: 6, at: when, route, round: u32::from(route == pool) * 2, change }
    };
    changes.into_iter().enumerate().map(event).collect()
}

fn encode(events: &[Event]) -> Vec<u8> {
    let mut writer = BatchWriter::default();
    events.iter().for_each(|event| writer.push(event));
    writer.finish()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn with_checksum(mut block: Vec<u8>) -> Vec<u8> {
    let digest: [u8; 32] = Sha256::digest(&block).into();
    block.extend_from_slice(&digest[..CHECKSUM]);
    block
}

#[test]
fn every_kind_comes_back_as_it_went() {
    let events = every_kind();
    assert_eq!(decode(&encode(&events)), Ok(events));
    assert_eq!(decode(&encode(&[])), Ok(vec![]));
}

#[test]
fn the_bytes_of_version_one() {
    assert_eq!(hex(&encode(&every_kind())), include_str!("version_1.hex").trim());
}

/// Their numbers are not given to anything else.
#[test]
fn kinds_that_were_given_up_are_not_read() {
    for kind in [14, 15] {
        // Term 1, one event with number 1 at time 0, and enough bytes for anything that it could be.
        let mut block = vec![VERSION, 1, 1, 0, 1, kind];
        block.extend([0; 80]);
        assert_eq!(decode(&with_checksum(block)), Err(WireError::Kind(kind)));
    }
}

#[test]
fn a_reservation_is_compact() {
    let events = every_kind();
    let one: Vec<Event> = events[5..6].to_vec();
    assert!(encode(&one).len() <= 96, "{} bytes", encode(&one).len());
}

#[test]
fn a_changed_byte_is_noticed_wherever_it_is() {
    let block = encode(&every_kind());
    for at in 0..block.len() {
        let mut broken = block.clone();
        broken[at] ^= 1;
        assert!(decode(&broken).is_err(), "byte {at}");
        assert!(decode(&block[..at]).is_err(), "cut at {at}");
    }
}

proptest! {
    /// With a right checksum on nonsense, reading still ends in events or an error.
    #[test]
    fn nonsense_is_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Some(first) = bytes.first_mut() {
            *first = VERSION;
        }
        let _ = decode(&with_checksum(bytes));
    }
}
