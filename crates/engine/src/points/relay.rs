//! Points that were won, or granted by a rule, posted to the account.
//!
//! The points and the end of their message are one transaction. The posting's key is made of the prize or the rule's
//! grant besides, so that the account takes it once however often the message comes.

use async_trait::async_trait;
use domain::Rejection;
use domain::ids::GrantId;
use domain::points::{Amount, Move, NEVER};
use store::model::{
    FulfilMessage, GRANT, GrantMessage, LaneFence, Message, PointsGive, PostedEntry, Posting, grant_key,
};

use crate::failure::{Fault, Result};
use crate::relay::handlers::body;
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

/// Postings in one transaction.
const BATCH: u32 = 2_000;

#[derive(Debug)]
pub(crate) struct Points;

#[async_trait]
impl Handler for Points {
    fn name(&self) -> &'static str {
        "points"
    }

    fn reaches_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> LaneLimits {
        LaneLimits { batch: BATCH, at_once: 1 }
    }

    async fn handle(
        &self,
        world: &World,
        fence: &LaneFence,
        batch: &[Message],
    ) -> Result<Vec<HandlerOutcome>> {
        let mut all = Vec::with_capacity(batch.len());
        let (mut messages, mut postings) = (Vec::new(), Vec::new());
        for message in batch {
            match posting(world, message) {
                Ok(posting) => {
                    messages.push(message.clone());
                    postings.push(posting);
                    all.push(HandlerOutcome::Kept);
                }
                Err(unreadable) => all.push(unreadable),
            }
        }
        let asked = postings.len();
        let give = PointsGive { fence: fence.clone(), messages, postings, now: world.now() };
        let posted = world.db.points_give(give).await?;
        if posted.len() != asked {
            return Err(Fault::new("postings without an answer").into());
        }
        let places = all.iter_mut().filter(|handled| **handled == HandlerOutcome::Kept);
        for (place, posted) in places.zip(posted) {
            *place = to_outcome(posted);
        }
        Ok(all)
    }
}

fn posting(world: &World, message: &Message) -> Result<Posting, HandlerOutcome> {
    let dead = |why: &str| HandlerOutcome::Dead(why.to_owned());
    let user = message.user.ok_or_else(|| dead("nobody's points"))?;
    if message.kind == GRANT {
        let GrantMessage { amount, expires, reason, .. } = body(message)?;
        let amount = Amount::new(amount).ok_or_else(|| dead("too many points, or none"))?;
        let asked = Move::Credit { amount, expires: expires.unwrap_or(NEVER) };
        let key = grant_key(GrantId(message.subject));
        return Ok(Posting { user, asked, key, reason, at: world.now() });
    }
    let FulfilMessage { amount, .. } = body(message)?;
    let amount =
        i64::try_from(amount).ok().and_then(Amount::new).ok_or_else(|| dead("too many points, or none"))?;
    // From the moment they were won, however late the message is.
    let asked = Move::Credit { amount, expires: world.points_expire(message.made) };
    let key = format!("won:{}", message.subject);
    Ok(Posting { user, asked, key, reason: "won".to_owned(), at: world.now() })
}

fn to_outcome(posted: Result<PostedEntry, Rejection>) -> HandlerOutcome {
    match posted {
        Ok(_) => HandlerOutcome::Finished,
        Err(rejection) => HandlerOutcome::Dead(format!("the account refuses: {}", rejection.code())),
    }
}
