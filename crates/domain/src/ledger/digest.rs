//! The digest of a command: how the ledger knows that a repetition asks for the same.

use super::command::{Command, QUANTITY_MAX};
use super::directive::Act;
use super::play::Terms;
use crate::ids::ActivityId;
use crate::lottery::random::ClientValue;

/// What a command said, in eight bytes: the same id with another digest is a conflict. Written into the journal and the
/// database, so its value for a given command never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CommandDigest(pub u64);

impl Command {
    /// What ends a hold says nothing of its own: the hold itself tells whether it is the same. Of a draw and of entries
    /// only what their player chose counts: a repetition may come after midnight, in the next round, or when another
    /// version is in place.
    pub fn digest(&self) -> CommandDigest {
        let mixed = match self {
            Self::Direct(directive) => return directive.act.digest(),
            Self::Reserve { owner, lines, ttl_ms, gates, key: _, id: _, caller: _ } => {
                let owner = owner.as_ref().map_or(0, |owner| owner.id.get());
                let start = Mix::new(5).number(ttl_ms.cast_unsigned()).number(owner);
                debug_assert!(lines.iter().all(|line| line.quantity.units() <= QUANTITY_MAX));
                let asked = lines
                    .iter()
                    .fold(start, |mix, line| mix.id(line.pool.0).number(u64::from(line.quantity.units())));
                // Which activities is what was asked for; in which round and version, a repetition may see otherwise.
                gates.iter().fold(asked, |mix, gate| mix.id(gate.activity.0))
            }
            Self::Confirm { .. } | Self::Cancel { .. } | Self::Extend { .. } | Self::ExpireOne => Mix::new(0),
            Self::Draw(draw) => {
                let chosen =
                    Mix::new(13).id(draw.activity.0).id(draw.user.0).number(u64::from(draw.draws.count()));
                let words = draw.client.iter().flat_map(|ClientValue(value)| value.as_chunks::<8>().0);
                words.fold(chosen, |mix, word| mix.number(u64::from_be_bytes(*word)))
            }
            Self::Enter { activity, user, entries, key: _, round: _, day: _ } => {
                Mix::new(14).id(activity.0).id(user.0).number(u64::from(entries.count()))
            }
        };
        mixed.digest()
    }
}

impl Act {
    pub(super) fn digest(&self) -> CommandDigest {
        let mixed = match self {
            // The id goes with the name.
            Self::PoolOpen { pool, round, total, owner_max, name: _ } => {
                Mix::new(1).id(pool.0).number(u64::from(*round)).number(*total).number(u64::from(*owner_max))
            }
            Self::PoolAdjust { pool, delta } => Mix::new(2).id(pool.0).number(delta.cast_unsigned()),
            Self::PoolLimit { pool, owner_max } => Mix::new(3).id(pool.0).number(u64::from(*owner_max)),
            Self::PoolState { pool, state } => Mix::new(4).id(pool.0).number(*state as u64),
            Self::ActivityOpen { activity, round, terms } => mix_terms(Mix::new(6), *activity, *round, terms),
            Self::ActivityTerms { activity, round, terms } => {
                mix_terms(Mix::new(10), *activity, *round, terms)
            }
            Self::ActivityState { activity, state } => Mix::new(7).id(activity.0).number(*state as u64),
            Self::PrizeState { activity, prize, withdrawn } => {
                Mix::new(11).id(activity.0).number(u64::from(prize.number())).number(u64::from(*withdrawn))
            }
            Self::Halt { on } => Mix::new(12).number(u64::from(*on)),
            Self::Grant { activity, user, chances } => {
                Mix::new(8).id(activity.0).id(user.0).number(u64::from(*chances))
            }
            Self::Revoke { activity, user, chances } => {
                Mix::new(15).id(activity.0).id(user.0).number(u64::from(*chances))
            }
        };
        mixed.digest()
    }
}

fn mix_terms(mix: Mix, activity: ActivityId, round: u32, terms: &Terms) -> Mix {
    let Terms { version, from, until, entries, limits, begin } = terms;
    let mix = mix
        .id(activity.0)
        .number(u64::from(round))
        .id(from.0)
        .id(until.0)
        .id(entries.map_or(0, |pool| pool.0))
        .number(u64::from(limits.total))
        .number(u64::from(limits.month))
        .number(u64::from(limits.day))
        .number(u64::from(*version));
    let words = begin.iter().flat_map(|link| link.0.as_chunks::<8>().0);
    words.fold(mix, |mix, word| mix.number(u64::from_be_bytes(*word)))
}

/// A frozen mixing of numbers. It need not resist anybody: who finds a collision conflicts with themselves.
#[derive(Clone, Copy)]
struct Mix(u64);

impl Mix {
    fn new(kind: u64) -> Self {
        Self(0x7769_6e64_6661_6c6c).number(kind)
    }

    fn id(self, id: i64) -> Self {
        self.number(id.cast_unsigned())
    }

    fn number(self, number: u64) -> Self {
        let mut mixed = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 32;
        Self(mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ (mixed >> 29))
    }

    fn digest(self) -> CommandDigest {
        CommandDigest(self.0)
    }
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::ids::UserId;
    use crate::ledger::play::{ActivityState, ChanceLimits, Day, Draws};
    use crate::ledger::{Key, Line, MustRun, Owner, PoolId, PoolName, PoolState, Quantity, Take, Text};
    use crate::lottery::chain::ChainLink;
    use crate::lottery::strategy::PrizeId;
    use crate::time::Timestamp;

    const ACTIVITY: ActivityId = ActivityId(-5);
    const POOL: PoolId = PoolId(77);
    const USER: UserId = UserId(1 << 40);

    fn terms(begin: Option<ChainLink>) -> Terms {
        let limits = ChanceLimits { total: 300, month: 30, day: 1 };
        let (from, until) = (Timestamp(-1), Timestamp(1_800_000_000_000));
        Terms { version: 3, from, until, entries: Some(PoolId(5)), limits, begin }
    }

    /// They are in journals and databases: one that changes makes a conflict of every late repetition.
    #[test]
    fn digests_of_acts_stay_as_they_are() {
        let (activity, pool, user) = (ACTIVITY, POOL, USER);
        let name = PoolName::new("tea").unwrap();
        let prize = PrizeId::new(300).unwrap();
        for (act, digest) in [
            (Act::PoolOpen { pool, name, round: 2, total: 1_000, owner_max: 3 }, 0xf527_3226_5207_4de2),
            (Act::PoolAdjust { pool, delta: -5 }, 0x168f_6862_5f77_9ad0),
            (Act::PoolLimit { pool, owner_max: 4 }, 0x411a_c0ed_5e22_c0c3),
            (Act::PoolState { pool, state: PoolState::Frozen }, 0xa7ce_61c9_ede4_620e),
            (Act::ActivityOpen { activity, round: 2, terms: terms(None) }, 0x105d_6870_a8cb_b56c),
            (
                Act::ActivityTerms { activity, round: 2, terms: terms(Some(ChainLink([7; 32]))) },
                0x3e10_a141_0662_4048,
            ),
            (Act::ActivityState { activity, state: ActivityState::Paused }, 0x0f75_df86_9da9_dd4b),
            (Act::PrizeState { activity, prize, withdrawn: true }, 0xbf83_b9c0_29a7_a766),
            (Act::Halt { on: true }, 0x1b5f_79a4_89a2_908b),
            (Act::Grant { activity, user, chances: 1_000 }, 0x8ba5_b736_560d_6a35),
            (Act::Revoke { activity, user, chances: 7 }, 0x8e1c_b4c0_e475_e1a8),
        ] {
            assert_eq!(act.digest(), CommandDigest(digest), "{act:?}");
        }
    }

    #[test]
    fn digests_of_holds_and_tickets_stay_as_they_are() {
        let text = |text: &str| Text::new(text).unwrap();
        let line = |pool, units| Line { pool, quantity: Quantity::new(units).unwrap() };
        let (key, hold, activity, user) = (Key(1), Key(2), ACTIVITY, USER);
        let day = Day { number: 20_240_101, from: Timestamp(0), until: Timestamp(9) };
        let entries = Draws::new(10).unwrap();
        let reserve = Command::Reserve {
            key,
            id: text("o"),
            caller: -1,
            owner: Some(Owner::new(text("ann"))),
            lines: vec![line(POOL, 2), line(PoolId(-3), 1)],
            ttl_ms: 900,
            gates: vec![MustRun { activity, round: 1, version: 2 }],
        };
        for (command, digest) in [
            (reserve, 0x88af_3f0c_b2e5_7bd8),
            (Command::Confirm { hold, take: Take::All }, 0xce1f_0d72_a335_6b2b),
            (Command::Cancel { hold, id: text("o"), caller: 1 }, 0xce1f_0d72_a335_6b2b),
            (Command::Enter { key, activity, round: 2, user, entries, day }, 0x44df_d28f_d6b9_b73f),
        ] {
            assert_eq!(command.digest(), CommandDigest(digest), "{command:?}");
        }
    }
}
