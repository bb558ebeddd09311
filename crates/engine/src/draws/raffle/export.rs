//! The raffles of an activity as lines of its export, in pieces: whoever reads slowly keeps nobody's memory full.

use std::collections::VecDeque;

use domain::export::write;
use domain::ids::ActivityId;
use store::model::{RAFFLE_ROWS_MAX, RaffleRow};

use crate::draws::raffle::drawing::secret;
use crate::failure::Result;
use crate::world::World;

/// Every round that was drawn. One that has a roll and is not drawn is told in a line that says nothing to a program: its
/// secret is not revealed, and there is nothing to check yet.
#[derive(Debug)]
pub struct RaffleExport {
    rest: VecDeque<RaffleRow>,
    part: Part,
    written: u64,
}

#[derive(Debug)]
enum Part {
    Between,
    Roll { row: RaffleRow, piece: u32 },
    Winners { row: RaffleRow, from: u32 },
}

impl RaffleExport {
    pub async fn open(world: &World, activity: ActivityId) -> Result<Self> {
        let rest = world.db.raffle_list(activity).await?.into();
        Ok(Self { rest, part: Part::Between, written: 0 })
    }

    /// How many were written to their end.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The next lines; nothing at the end.
    pub async fn piece(&mut self, world: &World) -> Result<Option<String>> {
        let mut out = String::new();
        self.part = match std::mem::replace(&mut self.part, Part::Between) {
            Part::Between => {
                let Some(row) = self.rest.pop_front() else { return Ok(None) };
                let (activity, round) = row.round;
                if row.drawn.is_some() {
                    write::raffle(&mut out, activity, round, &row.commitment.0, &row.roll_hash);
                    Part::Roll { row, piece: 0 }
                } else {
                    write::remark(&mut out, &format!("round {round} is not drawn yet"));
                    Part::Between
                }
            }
            Part::Roll { row, piece } => match world.db.roll_piece(row.round, piece).await? {
                Some(bytes) => {
                    write::roll_bytes(&mut out, &bytes);
                    Part::Roll { row, piece: piece + 1 }
                }
                None => {
                    write::secret(&mut out, secret(world, &row)?.reveal());
                    if let Some(beacon) = &row.value {
                        write::beacon(&mut out, beacon.value.as_bytes());
                    }
                    Part::Winners { row, from: 0 }
                }
            },
            Part::Winners { row, from } => {
                let winners = world.db.raffle_winners(row.round, from, RAFFLE_ROWS_MAX).await?;
                winners.iter().for_each(|row| write::winner(&mut out, &row.winner));
                match winners.last() {
                    Some(last) => Part::Winners { from: last.nth + 1, row },
                    None => {
                        write::end(&mut out, u64::from(from));
                        self.written += 1;
                        Part::Between
                    }
                }
            }
        };
        Ok(Some(out))
    }
}
