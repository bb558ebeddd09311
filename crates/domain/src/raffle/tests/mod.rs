//! Raffles as rows, against a drawing in another language, and in numbers.

mod drawing;
mod fairness;
mod rolls;

use super::*;
use crate::ids::ActivityId;
use crate::player_number::PlayerNumber;

pub const SECRET: [u8; 32] = {
    let mut secret = [0; 32];
    let mut at = 0u8;
    while at < 32 {
        secret[at as usize] = at;
        at += 1;
    }
    secret
};

pub fn seat(number: u32) -> PlayerNumber {
    PlayerNumber::new(number).unwrap()
}

pub fn entrants(rows: &[(u32, u32)]) -> Vec<Entrant> {
    rows.iter().map(|(player, entries)| Entrant { seat: seat(*player), entries: *entries }).collect()
}

pub fn roll(round: u32, prizes: &[u32], rows: &[(u32, u32)]) -> Roll {
    Roll::new(ActivityId(7), round, None, prizes.to_vec(), entrants(rows)).unwrap()
}

/// The example of `docs/raffle.md`.
pub fn example() -> Roll {
    let rows = entrants(&[(33, 3), (11, 1), (44, 4), (22, 2)]);
    Roll::new(ActivityId(7), 1, Some("dice on stage".to_owned()), vec![1, 2], rows).unwrap()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
