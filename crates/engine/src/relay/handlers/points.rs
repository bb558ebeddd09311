//! Points that were won, or granted by a rule, posted to the account.
//!
//! The posting's key is made of the prize or the rule's grant, so that the account takes it once however often the message comes.

use async_trait::async_trait;
use domain::Rejection;
use domain::ids::GrantId;
use domain::points::{Amount, Move, NEVER};

use super::super::{Handled, Handler, Limits};
use super::body;
use crate::failure::{Fault, Outcome};
use crate::ports::{FulfilBody, GRANT, GrantBody, LaneFence, Message, Posted, Posting, grant_key};
use crate::world::World;

/// Postings in one transaction.
const BATCH: u32 = 2_000;

#[derive(Debug)]
pub(super) struct Points;

#[async_trait]
impl Handler for Points {
    fn name(&self) -> &'static str {
        "points"
    }

    fn limits(&self) -> Limits {
        Limits { batch: BATCH, at_once: 1 }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Outcome<Vec<Handled>> {
        let read: Vec<Result<Posting, Handled>> =
            batch.iter().map(|message| posting(world, message)).collect();
        let postings: Vec<Posting> = read.iter().filter_map(|read| read.as_ref().ok().cloned()).collect();
        let asked = postings.len();
        let posted = world.points.points_post(postings).await?;
        if posted.len() != asked {
            return Err(Fault::new("postings without an answer").into());
        }
        let mut posted = posted.into_iter();
        let mut came = |read: Result<Posting, Handled>| match read {
            Ok(_) => posted.next().map_or(Handled::Kept, handled),
            Err(unreadable) => unreadable,
        };
        Ok(read.into_iter().map(&mut came).collect())
    }
}

fn posting(world: &World, message: &Message) -> Result<Posting, Handled> {
    let dead = |why: &str| Handled::Dead(why.to_owned());
    let user = message.user.ok_or_else(|| dead("nobody's points"))?;
    if message.kind == GRANT {
        let GrantBody { amount, expires, reason, .. } = body(message)?;
        let amount = Amount::new(amount).ok_or_else(|| dead("too many points, or none"))?;
        let asked = Move::Credit { amount, expires: expires.unwrap_or(NEVER) };
        let key = grant_key(GrantId(message.subject));
        return Ok(Posting { user, asked, key, reason, at: world.now() });
    }
    let FulfilBody { amount, .. } = body(message)?;
    let amount =
        i64::try_from(amount).ok().and_then(Amount::new).ok_or_else(|| dead("too many points, or none"))?;
    // From the moment they were won, however late the message is.
    let asked = Move::Credit { amount, expires: world.points_expire(message.made) };
    let key = format!("won:{}", message.subject);
    Ok(Posting { user, asked, key, reason: "won".to_owned(), at: world.now() })
}

fn handled(posted: Result<Posted, Rejection>) -> Handled {
    match posted {
        Ok(_) => Handled::Done,
        Err(rejection) => Handled::Dead(format!("the account refuses: {}", rejection.code())),
    }
}
