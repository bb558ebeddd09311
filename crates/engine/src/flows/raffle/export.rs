//! The raffles of an activity as lines of its export, in pieces: whoever reads slowly keeps nobody's memory full.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::export::write;
use domain::ids::ActivityId;
use futures::Stream;
use futures::stream::try_unfold;

use super::drawing::secret;
use crate::failure::Outcome;
use crate::ports::{RAFFLE_ROWS_MAX, RaffleRow};
use crate::world::World;

/// Every round that has a roll, after the line that every export begins with. One that is not drawn is told in a line that
/// says nothing to a program: there is nothing to check yet.
pub fn raffle_export(
    world: Arc<World>,
    activity: ActivityId,
) -> impl Stream<Item = Outcome<String>> + Send + use<> {
    try_unfold(Part::Begin(activity), move |part| {
        let world = Arc::clone(&world);
        async move { next(&world, part).await }
    })
}

enum Part {
    Begin(ActivityId),
    Between(VecDeque<RaffleRow>),
    Roll { row: RaffleRow, piece: u32, rest: VecDeque<RaffleRow> },
    Winners { row: RaffleRow, from: u32, rest: VecDeque<RaffleRow> },
}

async fn next(world: &World, part: Part) -> Outcome<Option<(String, Part)>> {
    let mut out = String::new();
    let part = match part {
        Part::Begin(activity) => Part::Between(world.raffles.raffle_list(activity).await?.into()),
        Part::Between(mut rest) => {
            let Some(row) = rest.pop_front() else { return Ok(None) };
            let (activity, round) = row.round;
            if row.drawn.is_some() {
                write::raffle(&mut out, activity, round, &row.commitment.0, &row.roll_hash);
                Part::Roll { row, piece: 0, rest }
            } else {
                write::remark(&mut out, &format!("round {round} is not drawn yet"));
                Part::Between(rest)
            }
        }
        Part::Roll { row, piece, rest } => match world.raffles.roll_piece(row.round, piece).await? {
            Some(bytes) => {
                write::roll_bytes(&mut out, &bytes);
                Part::Roll { row, piece: piece + 1, rest }
            }
            None => {
                write::secret(&mut out, secret(world, &row)?.reveal());
                if let Some(beacon) = &row.value {
                    write::beacon(&mut out, beacon.value.as_bytes());
                }
                Part::Winners { row, from: 0, rest }
            }
        },
        Part::Winners { row, from, rest } => {
            let winners = world.raffles.raffle_winners(row.round, from, RAFFLE_ROWS_MAX).await?;
            winners.iter().for_each(|row| write::winner(&mut out, &row.winner));
            match winners.last() {
                Some(last) => Part::Winners { from: last.nth + 1, row, rest },
                None => {
                    write::end(&mut out, u64::from(from));
                    Part::Between(rest)
                }
            }
        }
    };
    Ok(Some((out, part)))
}
