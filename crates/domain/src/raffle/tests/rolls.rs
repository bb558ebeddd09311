//! What a roll may be, and its one encoding.

use proptest::prelude::*;

use super::*;
use crate::Lang;
use crate::flaw::Flaw;

#[test]
fn the_example_is_encoded_as_documented() {
    let roll = example();
    assert_eq!(
        hex(&roll.encode()),
        "77696e6466616c6c2e726f6c6c2e3031000000000000000700000001\
         000d64696365206f6e207374616765000000020000000100000002\
         00000004000000000000000b000000010000000000000016000000020000000000000021000000030000000000\
         00002c00000004"
    );
    assert_eq!(hex(roll.hash()), "cfe527cf23d51e6e8199e1ba8402c3e9cace20bf717ef253318f589df4b5319c");
    assert_eq!(Roll::decode(&roll.encode()), Ok(roll));
}

#[test]
fn what_a_roll_may_not_be() {
    let long = "x".repeat(801);
    for (beacon, prizes, rows, expected) in [
        (None, vec![1], vec![(1, 1)], None),
        (None, vec![1], vec![], None),
        (None, vec![1], vec![(1, 1), (2, 1), (1, 1)], Some("entrant_repeated")),
        (None, vec![1], vec![(1, 0)], Some("entries_out_of_range")),
        (None, vec![1], vec![(1, 1_000_000)], None),
        (None, vec![1], vec![(1, 1_000_001)], Some("entries_out_of_range")),
        (None, vec![], vec![], Some("prizes_out_of_range")),
        (None, vec![1; 1_001], vec![], Some("prizes_out_of_range")),
        (None, vec![1, 0], vec![], Some("units_out_of_range")),
        (None, vec![1_000_000], vec![], None),
        (None, vec![1_000_000, 1], vec![], Some("units_out_of_range")),
        (None, vec![u32::MAX; 3], vec![], Some("units_out_of_range")),
        (Some(""), vec![1], vec![], Some("beacon_name")),
        (Some(long.as_str()), vec![1], vec![], Some("beacon_name")),
    ] {
        let roll = Roll::new(ActivityId(1), 1, beacon.map(str::to_owned), prizes.clone(), entrants(&rows));
        assert_eq!(roll.as_ref().err().map(RollRefusal::name), expected, "{prizes:?} {rows:?}");
        if let Err(refusal) = roll {
            let flaw = Flaw::from(refusal);
            assert_eq!(Some(flaw.code), expected);
            assert!(flaw.text(Lang::En).is_ascii() && !flaw.text(Lang::Zh).is_ascii(), "{flaw:?}");
        }
    }
}

#[test]
fn everything_in_a_roll_is_in_its_hash() {
    let build = |activity, round, beacon: Option<&str>, prizes: &[u32], rows: &[(u32, u32)]| {
        let roll = Roll::new(
            ActivityId(activity),
            round,
            beacon.map(str::to_owned),
            prizes.to_vec(),
            entrants(rows),
        );
        *roll.unwrap().hash()
    };
    let mut hashes = vec![
        build(1, 1, None, &[1, 2], &[(1, 1), (2, 2)]),
        build(2, 1, None, &[1, 2], &[(1, 1), (2, 2)]),
        build(1, 2, None, &[1, 2], &[(1, 1), (2, 2)]),
        build(1, 1, Some("a"), &[1, 2], &[(1, 1), (2, 2)]),
        build(1, 1, Some("b"), &[1, 2], &[(1, 1), (2, 2)]),
        build(1, 1, None, &[2, 1], &[(1, 1), (2, 2)]),
        build(1, 1, None, &[1, 2], &[(1, 2), (2, 1)]),
        build(1, 1, None, &[1, 2], &[(1, 1), (3, 2)]),
        build(1, 1, None, &[1, 2], &[(1, 1)]),
    ];
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
    assert_eq!(
        build(1, 1, None, &[1], &[(1, 1), (2, 2)]),
        build(1, 1, None, &[1], &[(2, 2), (1, 1)]),
        "the order of arrival does not count"
    );
}

#[test]
fn only_the_canonical_form_is_read() {
    let good = example().encode();
    let swapped = {
        let (head, tail) = good.split_at(good.len() - 24);
        [head, &tail[12..], &tail[..12]].concat()
    };
    let repeated = {
        let (head, tail) = good.split_at(good.len() - 24);
        [head, &tail[..12], &tail[..12]].concat()
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    for (what, bytes, expected) in [
        ("nothing", vec![], "not_canonical"),
        ("another tag", with(15, b'2'), "not_canonical"),
        ("cut short", good[..good.len() - 1].to_vec(), "not_canonical"),
        ("something behind", [&good[..], &[0]].concat(), "not_canonical"),
        ("out of order", swapped, "not_canonical"),
        ("somebody twice", repeated, "entrant_repeated"),
        ("no text", with(30, 0xff), "not_canonical"),
        ("four billion prizes", with(43, 0xff), "prizes_out_of_range"),
        ("four billion entrants", with(55, 0xff), "too_many_entrants"),
        ("player 0", with(good.len() - 5, 0), "not_canonical"),
        ("a player beyond all numbers", with(good.len() - 12, 1), "not_canonical"),
    ] {
        assert_eq!(Roll::decode(&bytes).map_err(|refusal| refusal.name()), Err(expected), "{what}");
    }
}

proptest! {
    #[test]
    fn a_roll_is_read_back(
        activity in 1i64.., round in 1u32.., beacon in prop::option::of("\\PC{1,40}"),
        prizes in prop::collection::vec(1u32..50, 1..6),
        rows in prop::collection::btree_map(1u32.., 1..=ENTRIES_MAX, 0..30),
    ) {
        let rows: Vec<_> = rows.into_iter().collect();
        let roll = Roll::new(ActivityId(activity), round, beacon, prizes, entrants(&rows)).unwrap();
        let bytes = roll.encode();
        prop_assert_eq!(Roll::decode(&bytes), Ok(roll));
    }

    /// What is read has only the bytes it was read from.
    #[test]
    fn a_damaged_roll_is_refused_or_is_another(at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = example().encode();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(read) = Roll::decode(&bytes) {
            prop_assert_eq!(read.encode(), bytes);
            prop_assert_ne!(*read.hash(), *example().hash());
        }
    }
}
