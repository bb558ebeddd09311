//! Chances that were won, or granted by a rule, put on the player's account by the ledger.
//!
//! The grant's key is made of the prize or the rule's grant, so the ledger grants it once however often the message comes; the message goes in
//! one transaction with the prize's step. A crash in between repeats a grant that the ledger knows.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::ids::GrantId;
use domain::ledger::{Act, Command, Key, Note};
use futures::future::try_join_all;
use store::model::{CHANCES, FulfilMessage, GRANT, GrantMessage, LaneFence, MESSAGES_MAX, Message};

use crate::failure::{Failure, Fault, Result};
use crate::points::grants::chances_command;
use crate::ports::StockAnswer;
use crate::relay::handlers::body;
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

/// Each activity's are asked in one step, and all activities at once: they share commits.
const BATCH: u32 = MESSAGES_MAX;

#[derive(Debug)]
pub(crate) struct Chances;

#[async_trait]
impl Handler for Chances {
    fn name(&self) -> &'static str {
        CHANCES
    }

    fn reaches_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> LaneLimits {
        LaneLimits { batch: BATCH, at_once: 1 }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<HandlerOutcome>> {
        let mut all = vec![HandlerOutcome::Kept; batch.len()];
        // Each activity has its own place before the ledger.
        let mut asked: BTreeMap<i64, Vec<(usize, Command)>> = BTreeMap::new();
        for ((at, message), place) in batch.iter().enumerate().zip(&mut all) {
            match grant(message) {
                Ok((activity, command)) => asked.entry(activity).or_default().push((at, command)),
                Err(handled) => *place = handled,
            }
        }
        let asking = asked.into_iter().map(|(activity, commands)| async move {
            let (places, commands): (Vec<usize>, Vec<Command>) = commands.into_iter().unzip();
            let answers = world.ledger.stock.ask(activity, commands).await?;
            if answers.len() != places.len() {
                return Err(Fault::new("grants without an answer").into());
            }
            Ok::<_, Failure>((places, answers))
        });
        for (places, answers) in try_join_all(asking).await? {
            for (at, answer) in places.into_iter().zip(answers) {
                if let Some(place) = all.get_mut(at) {
                    *place = to_outcome(&answer);
                }
            }
        }
        Ok(all)
    }
}

fn grant(message: &Message) -> Result<(i64, Command), HandlerOutcome> {
    let dead = |why: &str| HandlerOutcome::Dead(why.to_owned());
    let user = message.user.ok_or_else(|| dead("nobody's chances"))?;
    if message.kind == GRANT {
        let GrantMessage { activity, amount, .. } = body(message)?;
        let activity = activity.ok_or_else(|| dead("chances of no activity"))?;
        let chances = u32::try_from(amount).map_err(|_| dead("too many chances"))?;
        let command = chances_command(GrantId(message.subject), activity, user, chances);
        return Ok((activity.0, command.map_err(|_| dead("no note"))?));
    }
    let FulfilMessage { source, amount, .. } = body(message)?;
    let activity = source.activity().ok_or_else(|| dead("chances of no activity"))?;
    let chances = u32::try_from(amount).map_err(|_| dead("too many chances"))?;
    let note = Note::new(&format!("won: {}", message.subject)).ok_or_else(|| dead("no note"))?;
    let key = Key::of("won", activity.0, &message.subject.to_string());
    Ok((activity.0, Command::direct(key, note, Act::Grant { activity, user, chances })))
}

fn to_outcome(answer: &StockAnswer) -> HandlerOutcome {
    match answer {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => HandlerOutcome::Done,
        // Over, or more than anybody may have: nothing that passes by itself.
        StockAnswer::Refused(refusal) => {
            HandlerOutcome::Dead(format!("the ledger refuses: {}", refusal.name()))
        }
    }
}
