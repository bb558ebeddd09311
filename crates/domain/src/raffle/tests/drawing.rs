//! Who wins: against the documented example, a drawing in another language, and a drawing without any cleverness.

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;
use crate::raffle::random::{Source, choose};
use crate::raffle::weights::Weights;

fn winner(prize: u32, place: u32, player: u32) -> Winner {
    Winner { prize, place, seat: seat(player) }
}

#[test]
fn the_example_is_drawn_as_documented() {
    let beacon = Beacon::of(b"6 2 5");
    assert_eq!(hex(beacon.bytes()), "40a6949d5c9965626619608837427d87cd71ac8d16d60673d09c1d0ef491a94b");
    let winners = draw(&SECRET, &example(), Some(&beacon)).unwrap();
    assert_eq!(winners, [winner(0, 0, 44), winner(1, 0, 22), winner(1, 1, 11)]);
    let commitment: [u8; 32] = Sha256::digest(SECRET).into();
    assert_eq!(hex(&commitment), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
}

/// 253 winners of 1,000, computed by the Python of `docs/raffle.md`: the hash over (prize, place, player) of each.
#[test]
fn a_thousand_entrants_as_drawn_in_another_language() {
    let rows: Vec<_> = (1..=1_000u32).map(|i| (i * i + 1, i % 7 + 1)).collect();
    let roll =
        Roll::new(ActivityId(123_456_789_012_345), 9, None, vec![3, 50, 200], entrants(&rows)).unwrap();
    assert_eq!(hex(roll.hash()), "e5e58038f99b712830c0a6fbbf4fe1cdbbd03ac80720445a3ad9fc8399b9f0a9");
    let winners = draw(&SECRET, &roll, None).unwrap();
    assert_eq!(winners[..3], [winner(0, 0, 960_401), winner(0, 1, 646_417), winner(0, 2, 633_617)]);
    let mut hash = Sha256::new();
    for winner in &winners {
        hash.update(winner.prize.to_be_bytes());
        hash.update(winner.place.to_be_bytes());
        hash.update(winner.seat.to_bytes());
    }
    assert_eq!(winners.len(), 253);
    assert_eq!(hex(&hash.finalize()), "17688018c7376d5a5578cf252e5f100d9939541627f9a518708f61799c0341d9");
}

#[test]
fn more_units_than_persons_leave_units_without_a_winner() {
    for (prizes, rows, expected) in [
        (&[1][..], &[][..], 0),
        (&[5], &[(1, 1), (2, 9)], 2),
        (&[1, 1, 1], &[(1, 1), (2, 9)], 2),
        (&[2], &[(1, 1), (2, 9)], 2),
        (&[1], &[(1, 1), (2, 9)], 1),
        (&[3], &[(1, 1_000_000)], 1),
    ] {
        assert_eq!(
            draw(&SECRET, &roll(1, prizes, rows), None).unwrap().len(),
            expected,
            "{prizes:?} {rows:?}"
        );
    }
}

#[test]
fn the_roll_says_whether_there_is_a_beacon() {
    let (with, without) = (example(), roll(1, &[1], &[(1, 1)]));
    let beacon = Beacon::of(b"6 2 5");
    assert_eq!(draw(&SECRET, &with, None), Err(BeaconRefusal::Missing));
    assert_eq!(draw(&SECRET, &without, Some(&beacon)), Err(BeaconRefusal::Unexpected));
}

#[test]
fn verifying_names_what_does_not_agree() {
    let (roll, beacon) = (example(), Beacon::of(b"6 2 5"));
    let winners = draw(&SECRET, &roll, Some(&beacon)).unwrap();
    let commitment = Sha256::digest(SECRET).into();
    let published = PublishedRaffle { commitment, roll_hash: *roll.hash(), winners: winners.clone() };
    let check = |published: &PublishedRaffle, secret: &[u8; 32], beacon: Option<&Beacon>| {
        verify(published, secret, &roll, beacon).map_err(|mismatch| mismatch.name())
    };
    assert_eq!(check(&published, &SECRET, Some(&beacon)), Ok(3));
    assert_eq!(check(&published, &[9; 32], Some(&beacon)), Err("secret_mismatch"));
    assert_eq!(check(&published, &SECRET, None), Err("beacon_missing"));
    assert_eq!(check(&published, &SECRET, Some(&Beacon::of(b"6 2 4"))), Err("winner_mismatch"));
    let other_roll = PublishedRaffle { roll_hash: [0; 32], ..published.clone() };
    assert_eq!(check(&other_roll, &SECRET, Some(&beacon)), Err("roll_mismatch"));

    let claim = |winners: Vec<Winner>| {
        verify(&PublishedRaffle { winners, ..published.clone() }, &SECRET, &roll, Some(&beacon))
    };
    let differs = |at, drawn, published| Err(RaffleMismatch::Winner { at, drawn, published });
    let (first, second, third) = (winners[0], winners[1], winners[2]);
    let changed = Winner { seat: seat(33), ..second };
    assert_eq!(claim(vec![first, changed, third]), differs(1, Some(second), Some(changed)));
    assert_eq!(claim(vec![first, third]), differs(1, Some(second), Some(third)));
    assert_eq!(claim(vec![first, second]), differs(2, Some(third), None));
    let extra = winner(1, 2, 33);
    assert_eq!(claim(vec![first, second, third, extra]), differs(3, None, Some(extra)));
}

/// Numbers from the incomplete last stretch are rejected, and the counter goes on.
#[test]
fn a_choice_has_no_bias() {
    let max = u64::MAX;
    for (below, numbers, expected) in [
        (1, &[max][..], 0),
        (10, &[37], 7),
        // 2^64 = 10 · 1844674407370955161 + 6: the last six are rejected.
        (10, &[max, max - 5, max - 6], 9),
        (3, &[max, 5], 2),
        (1 << 63, &[max], (1 << 63) - 1),
        ((1 << 63) + 1, &[(1 << 63) + 1, max, 1 << 63], 1 << 63),
        (max, &[max, max - 1], max - 1),
    ] {
        let got = choose(below, |counter| numbers[usize::try_from(counter).unwrap()]);
        assert_eq!(got, expected, "below {below}: {numbers:?}");
    }
}

/// The same drawing with a list of candidates that is gone through from the start each time.
fn naive(secret: &[u8; 32], roll: &Roll) -> Vec<Winner> {
    let source = Source::new(secret, roll, None);
    let (mut candidates, mut winners) = (roll.entrants().to_vec(), Vec::new());
    for (prize, units) in (0u32..).zip(roll.prizes()) {
        for place in 0..*units {
            let total = candidates.iter().map(|entrant| u64::from(entrant.entries)).sum();
            if total == 0 {
                continue;
            }
            let mut entry = choose(total, |counter| source.number(prize, place, counter));
            let at = candidates.iter().position(|entrant| match entry.checked_sub(entrant.entries.into()) {
                Some(left) => {
                    entry = left;
                    false
                }
                None => true,
            });
            winners.push(winner(prize, place, candidates.remove(at.unwrap()).seat.number()));
        }
    }
    winners
}

proptest! {
    #[test]
    fn nobody_wins_twice_and_nobody_is_passed_over(
        secret in any::<[u8; 32]>(), round in any::<u32>(),
        prizes in prop::collection::vec(1u32..8, 1..5),
        rows in prop::collection::btree_map(1u32..1_000, 1u32..100, 0..40),
    ) {
        let rows: Vec<_> = rows.into_iter().collect();
        let roll = roll(round, &prizes, &rows);
        let winners = draw(&secret, &roll, None).unwrap();
        prop_assert_eq!(&winners, &naive(&secret, &roll));
        let mut users: Vec<_> = winners.iter().map(|winner| winner.seat.number()).collect();
        users.sort_unstable();
        users.dedup();
        let units: u32 = prizes.iter().sum();
        prop_assert_eq!(users.len(), winners.len(), "nobody wins twice");
        prop_assert_eq!(users.len(), rows.len().min(usize::try_from(units).unwrap()));
        prop_assert!(users.iter().all(|user| rows.iter().any(|(row, _)| row == user)));
    }

    #[test]
    fn the_owner_of_an_entry_is_found(
        mut weights in prop::collection::vec(1u64..6, 1..40), order in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let mut tree = Weights::new(weights.iter().copied());
        for index in order {
            prop_assert_eq!(tree.total(), weights.iter().sum::<u64>());
            let laid_out = weights.iter().enumerate().flat_map(|(at, weight)| (0..*weight).map(move |_| at));
            for (entry, owner) in (0u64..).zip(laid_out) {
                prop_assert_eq!(tree.owner(entry), owner);
            }
            let gone = index.index(weights.len());
            tree.remove(gone, weights[gone]);
            weights[gone] = 0;
        }
    }
}

/// A million persons and ten thousand winners: a drawing that went through the list for each would never end here.
#[test]
fn a_million_entrants() {
    let rows: Vec<_> = (1..=1_000_000u32).map(|player| (player, player % 5 + 1)).collect();
    let roll = roll(1, &[1, 99, 9_900], &rows);
    let winners = draw(&SECRET, &roll, None).unwrap();
    let mut users: Vec<_> = winners.iter().map(|winner| winner.seat).collect();
    users.sort_unstable();
    users.dedup();
    assert_eq!(users.len(), 10_000);
}
