//! Whoever changes what was published or recorded is found out.

use super::fixtures::{Given, id, key, one, prize, seat, secret, strategy, table, told};
use super::recording::{eventful, hex, plain};
use crate::ids::ActivityId;
use crate::lottery::chain::{PublishedChain, Receipt};
use crate::lottery::live::{Exclusion, ExclusionReason};
use crate::lottery::random::{Commitment, DrawSecret};
use crate::lottery::record::Record;
use crate::lottery::replay::{RecordPart, ReplayDifference, ReplayMismatch, Replayer};
use crate::lottery::strategy::{Mode, Pity, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope};
use crate::lottery::ticket::settle;

/// What is changed, how, and what the replay says.
type Tampering = (&'static str, fn(&mut Record), ReplayDifference);

/// Whoever changes an input or an outcome, and writes the record well, is found out by deciding again.
#[test]
fn a_changed_record_does_not_replay() {
    let (given, strategy, record) = eventful();
    let replayer = Replayer::new(given.published(), strategy, &secret()).unwrap();
    assert_eq!(replayer.replay(&record.encode()), Ok(record.clone()));
    let rows: [Tampering; 14] = [
        ("activity", |r| r.key.activity = ActivityId(1), ReplayDifference::Foreign),
        ("round", |r| r.key.round = 2, ReplayDifference::Foreign),
        ("version", |r| r.key.version = 2, ReplayDifference::Foreign),
        ("player", |r| r.key.seat = seat(1), wrong(12, RecordPart::Why)),
        ("client value", |r| r.key.client.0[3] ^= 1, wrong(12, RecordPart::Roll)),
        ("number", |r| r.key.n += 1, wrong(13, RecordPart::Why)),
        ("block list", |r| r.blocked = true, wrong(12, RecordPart::Why)),
        ("a better roll", |r| r.draws[0].drawn.roll = Some(1), wrong(12, RecordPart::Roll)),
        ("another prize", |r| r.draws[4].drawn.prize = Some(id(1)), wrong(16, RecordPart::Prize)),
        ("another slot", |r| r.draws[1].drawn.slot.0 = 9, wrong(13, RecordPart::Slot)),
        ("more points", |r| r.draws[0].drawn.points += 1, wrong(12, RecordPart::Points)),
        ("a prize that was there after all", |r| r.draws[0].news.clear(), wrong(12, RecordPart::Why)),
        (
            "a prize that is said to be gone",
            |r| r.draws[4].news.push(excluded(0, ExclusionReason::Exhausted)),
            wrong(16, RecordPart::Why),
        ),
        (
            "a reason too many",
            |r| r.draws[1].news.push(excluded(3, ExclusionReason::Exhausted)),
            wrong(13, RecordPart::Excluded),
        ),
    ];
    for (name, change, expected) in rows {
        let mut changed = record.clone();
        change(&mut changed);
        assert_eq!(replayer.replay(&changed.encode()), Err(expected), "{name}");
    }
}

fn excluded(prize: u16, reason: ExclusionReason) -> Exclusion {
    Exclusion { prize: id(prize), reason }
}

fn wrong(n: u32, what: RecordPart) -> ReplayDifference {
    ReplayDifference::Draw { n, what }
}

/// Counts that a rule read cannot be changed either, tier, unlock, pity: the path would have been another.
#[test]
fn a_changed_count_does_not_replay() {
    let mut strategy = strategy(Mode::Fixed, &[40, 40, 20]);
    strategy.prizes[0].unlock = Some(Unlock { draws: 3, scope: UnlockScope::Today, current_counts: true });
    strategy.tables.push(table(&[(1, 50), (0, 50)]));
    let steps = vec![Tier { from: 0, table: 0 }, Tier { from: 5, table: 1 }];
    strategy.tiers = Some(Tiers { by: TierBy::Draws, steps });
    strategy.pity = Some(Pity { prize: id(2), misses: 7 });
    let mut given = Given::new(strategy.clone());
    (given.player.draws, given.player.draws_today) = (4, 2);
    let n = given.hitting(Some(0));
    let record = settle(&given.deck, &given.generator, &given.shelf, key(n), &given.player, one());
    let replayer = Replayer::new(given.published(), strategy, &secret()).unwrap();
    let rows: [Tampering; 3] = [
        ("another tier", |r| r.draws_in_all = 5, wrong(n, RecordPart::Prize)),
        ("still locked", |r| r.draws_today = 1, wrong(n, RecordPart::Why)),
        ("pity", |r| r.misses = 7, wrong(n, RecordPart::Why)),
    ];
    assert_eq!(told(&record.draws[0].drawn), "0");
    for (name, change, expected) in rows {
        let mut changed = record.clone();
        change(&mut changed);
        assert_eq!(replayer.replay(&changed.encode()), Err(expected), "{name}");
    }
}

/// Not a bit can be changed: the chain finds it. Replaying alone finds every one but those of inputs that no rule of the
/// strategy read, and which therefore decided nothing: the moment, the day, the counts, the rule path.
#[test]
fn any_changed_bit_is_found() {
    for (given, strategy, record) in [plain(), eventful()] {
        let bytes = record.encode();
        let mut replayer = Replayer::new(given.published(), strategy, &secret()).unwrap();
        let receipt = given.published().begin().next(&bytes);
        // Its first byte is a length, and moves all that follows.
        let path = record.rule_path.as_bytes().len();
        let unread = [36..44, 47..55, 56..56 + path];
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let name = format!("bit {bit} of byte {at}");
                assert_eq!(replayer.follow(&changed, &receipt), Err(ReplayDifference::Chain), "{name}");
                match replayer.replay(&changed) {
                    Ok(other) if unread.iter().any(|range| range.contains(&at)) => assert_ne!(other, record),
                    // Why a prize was withdrawn decides nothing either.
                    Ok(other) => {
                        assert_eq!(withdrawn_for_all(other), withdrawn_for_all(record.clone()), "{name}");
                    }
                    Err(_) => {}
                }
            }
        }
        assert!(replayer.follow(&bytes, &receipt).is_ok());
    }
}

fn withdrawn_for_all(mut record: Record) -> Record {
    let news = record.draws.iter_mut().flat_map(|draw| &mut draw.news);
    news.filter(|one| one.reason == ExclusionReason::WithdrawnForUser)
        .for_each(|one| one.reason = ExclusionReason::Withdrawn);
    record
}

#[test]
fn a_chain_has_no_gap_and_no_guest() {
    let strategy = strategy(Mode::Fixed, &[40, 40]);
    let given = Given::new(strategy.clone());
    let mut receipts: Vec<(Vec<u8>, Receipt)> = Vec::new();
    let mut last = given.published().begin();
    for n in 0..5 {
        let bytes =
            settle(&given.deck, &given.generator, &given.shelf, key(n), &given.player, one()).encode();
        last = last.next(&bytes);
        receipts.push((bytes, last));
    }
    let replayer = || Replayer::new(given.published(), strategy.clone(), &secret()).unwrap();
    let follow = |order: &[usize]| {
        let mut replayer = replayer();
        order.iter().position(|at| replayer.follow(&receipts[*at].0, &receipts[*at].1).is_err())
    };
    for (name, order, stops) in [
        ("as it was", vec![0, 1, 2, 3, 4], None),
        ("one dropped", vec![0, 1, 3, 4], Some(2)),
        ("two swapped", vec![0, 2, 1], Some(1)),
        ("one twice", vec![0, 1, 1], Some(2)),
        ("begun later", vec![1], Some(0)),
    ] {
        assert_eq!(follow(&order), stops, "{name}");
    }
    assert_eq!(
        hex(&receipts[4].1.link.0),
        "a555f35ed940b7091f89fa5f65351048e0ae4272ce4d725ea59cb45ac643b8d8",
        "the chain is for good"
    );
}

#[test]
fn a_replay_begins_with_what_was_published() {
    let (given, strategy, _) = plain();
    let published = given.published();
    let mut other = strategy.clone();
    other.tables[0].slices[0].odds -= 1;
    let mut next = strategy.clone();
    next.version = 2;
    let begin =
        |published, strategy: &Strategy, secret| Replayer::new(published, strategy.clone(), &secret).err();
    assert_eq!(begin(published, &strategy, secret()), None);
    assert_eq!(begin(published, &strategy, DrawSecret::new([0; 32])), Some(ReplayMismatch::Secret));
    assert_eq!(begin(published, &other, secret()), Some(ReplayMismatch::Strategy));
    assert_eq!(begin(published, &next, secret()), Some(ReplayMismatch::Strategy));
    let unfit = PublishedChain { strategy: next.hash(), ..published };
    assert_eq!(
        begin(unfit, &next, secret()),
        Some(ReplayMismatch::Strategy),
        "of another version than was published"
    );
    let mut flawed = strategy.clone();
    flawed.prizes.push(prize(7));
    let foolish = PublishedChain { strategy: flawed.hash(), ..published };
    assert!(matches!(begin(foolish, &flawed, secret()), Some(ReplayMismatch::Flawed(_))));
    for other in [
        PublishedChain { activity: ActivityId(1), ..published },
        PublishedChain { round: 2, ..published },
        PublishedChain { version: 2, ..published },
        PublishedChain { commitment: Commitment([0; 32]), ..published },
        unfit,
    ] {
        assert_ne!(other.link(), published.link(), "every part of what is published is in the chain");
    }
}
