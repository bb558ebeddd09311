//! How often who wins, with a fixed secret: the same numbers in every run.

use super::*;

/// The sum of (seen − expected)² / expected.
fn chi_square(seen: &[u32], expected: &[f64]) -> f64 {
    seen.iter().zip(expected).map(|(seen, expected)| (f64::from(*seen) - expected).powi(2) / expected).sum()
}

const ROUNDS: u32 = 20_000;

/// Four persons with 1 to 4 entries, three winners: every order of three has the probability that drawing without
/// return gives it. 24 orders; the bound is the 99.9 % quantile of chi-square with 23 degrees of freedom.
#[test]
fn orders_of_winners_come_as_often_as_they_should() {
    let weights = [1u32, 2, 3, 4];
    let rows: Vec<_> = (1u32..).zip(weights).collect();
    let (mut orders, mut expected) = (Vec::new(), Vec::new());
    for a in 0..4usize {
        for b in (0..4).filter(|b| *b != a) {
            for c in (0..4).filter(|c| *c != a && *c != b) {
                let weight = |at: usize| f64::from(weights[at]);
                let (rest, left) = (10.0 - weight(a), 10.0 - weight(a) - weight(b));
                orders.push([a, b, c].map(|at| u32::try_from(at).unwrap() + 1));
                expected.push(f64::from(ROUNDS) * weight(a) / 10.0 * weight(b) / rest * weight(c) / left);
            }
        }
    }
    let mut seen = vec![0; orders.len()];
    for round in 0..ROUNDS {
        let winners = draw(&SECRET, &roll(round, &[1, 2], &rows), None).unwrap();
        let order: Vec<_> = winners.iter().map(|winner| winner.seat.number()).collect();
        seen[orders.iter().position(|known| *known == order[..]).expect("three different persons")] += 1;
    }
    let chi = chi_square(&seen, &expected);
    assert!(chi < 49.73, "{chi}: {seen:?}");
}

/// Ten persons with one entry each: everybody wins, equally often. Nine degrees of freedom, 99.9 %.
#[test]
fn everybody_can_win() {
    let rows: Vec<_> = (1..=10u32).map(|user| (user * 1_000, 1)).collect();
    let mut seen = [0; 10];
    for round in 0..ROUNDS {
        let winners = draw(&SECRET, &roll(round, &[1], &rows), None).unwrap();
        seen[usize::try_from(winners[0].seat.number() / 1_000 - 1).unwrap()] += 1;
    }
    let chi = chi_square(&seen, &[f64::from(ROUNDS) / 10.0; 10]);
    assert!(chi < 27.88, "{chi}: {seen:?}");
}

/// A fixed secret: none of these four differences is a matter of luck from run to run.
#[test]
fn beacons_secrets_and_rounds_each_change_the_winner() {
    let rows: Vec<_> = (1..=1_000u32).map(|user| (user, 1)).collect();
    let first = |secret: &[u8; 32], round, value: Option<&[u8]>| {
        let beacon = value.map(Beacon::of);
        let name = value.map(|_| "b".to_owned());
        let roll = Roll::new(ActivityId(7), round, name, vec![1], entrants(&rows)).unwrap();
        draw(secret, &roll, beacon.as_ref()).unwrap()[0].seat
    };
    let base = first(&SECRET, 1, Some(b"1"));
    assert_ne!(base, first(&SECRET, 1, Some(b"2")));
    assert_ne!(base, first(&SECRET, 1, None));
    assert_ne!(base, first(&SECRET, 2, Some(b"1")));
    assert_ne!(base, first(&[1; 32], 1, Some(b"1")));
}
