//! A place in a waiting room: a number that its holder keeps.
//!
//! The number says everything: lower comes first. Its holder shows it after a restart, of the server or of their phone, and
//! stands where they stood. Nobody else's is worth anything.

use super::seal::{GateKey, SEAL_BYTES, Tag};
use crate::Rejection;
use crate::hex::{hex, unhex};
use crate::ids::{ActivityId, UserId};

const PREFIX: &str = "wfp_";
const BYTES: usize = 4 + 8 + SEAL_BYTES;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomPlace {
    pub user: UserId,
    pub sale: ActivityId,
    pub round: u32,
    /// From 1.
    pub number: i64,
}

impl RoomPlace {
    pub fn text(&self, key: &GateKey) -> String {
        let mut bytes = [0; BYTES];
        bytes[..4].copy_from_slice(&self.round.to_be_bytes());
        bytes[4..12].copy_from_slice(&self.number.to_be_bytes());
        bytes[12..].copy_from_slice(&key.seal(Tag::Place, &self.numbers(), &[]));
        format!("{PREFIX}{}", hex(&bytes))
    }

    /// The place of this user in this sale that a text stands for. A place of an earlier round is nobody's.
    pub fn check(
        key: &GateKey,
        text: &str,
        (user, sale, round): (UserId, ActivityId, u32),
    ) -> Result<Self, Rejection> {
        let digits = text.strip_prefix(PREFIX).ok_or(Rejection::PlaceWrong)?;
        let bytes: [u8; BYTES] = unhex(digits).ok_or(Rejection::PlaceWrong)?;
        let (mut given, mut number, mut seal) = ([0; 4], [0; 8], [0; SEAL_BYTES]);
        given.copy_from_slice(&bytes[..4]);
        number.copy_from_slice(&bytes[4..12]);
        seal.copy_from_slice(&bytes[12..]);
        let place = Self { user, sale, round: u32::from_be_bytes(given), number: i64::from_be_bytes(number) };
        let ours = key.is_seal(&seal, Tag::Place, &place.numbers(), &[]);
        if ours && place.round == round { Ok(place) } else { Err(Rejection::PlaceWrong) }
    }

    fn numbers(&self) -> [i64; 4] {
        [self.user.0, self.sale.0, i64::from(self.round), self.number]
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    /// Who shows it, in which round of which sale, and whether it is theirs.
    #[test]
    fn a_place_is_its_users_in_its_round_of_its_sale() {
        let key = GateKey::new(&[1; 32]);
        let place = RoomPlace { user: UserId(7), sale: ActivityId(40), round: 2, number: 1_234 };
        let text = place.text(&key);
        for (user, sale, round, theirs) in
            [(7, 40, 2, true), (8, 40, 2, false), (7, 41, 2, false), (7, 40, 3, false)]
        {
            let shown = RoomPlace::check(&key, &text, (UserId(user), ActivityId(sale), round));
            assert_eq!(
                shown,
                if theirs { Ok(place) } else { Err(Rejection::PlaceWrong) },
                "{user} {sale} {round}"
            );
        }
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let shown =
                RoomPlace::check(&key, &String::from_utf8(changed).unwrap(), (UserId(7), ActivityId(40), 2));
            assert_eq!(shown, Err(Rejection::PlaceWrong), "{at}");
        }
    }
}
