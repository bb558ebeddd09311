//! Points that were won, posted to the winner's account.
//!
//! The posting's key is made of the prize, so that the account takes it once however often the message comes.

use async_trait::async_trait;
use domain::Rejection;
use domain::points::{Amount, Move};

use super::super::{Handled, Handler, Limits};
use super::body;
use crate::failure::{Fault, Outcome};
use crate::ports::{FulfilBody, LaneFence, Message, Posted, Posting};
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
    let FulfilBody { amount, .. } = body(message)?;
    let dead = |why: &str| Handled::Dead(why.to_owned());
    let user = message.user.ok_or_else(|| dead("nobody's points"))?;
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
