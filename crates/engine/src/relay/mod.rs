//! Messages to those who carry them out, lane by lane.
//!
//! A lane is one handler's queue. One task works on a lane, under a lease: it reads what is due, hands it to the handler in
//! batches, and writes down what came of each message. What fails is tried again with growing waits and ends among the
//! dead letters; a slow or failing lane holds up no other.
//!
//! What always holds:
//! - Delivered at least once. A handler that gives something itself does so under the message's own id, or writes what it
//!   gives in the transaction that finishes the message, so that it is given once.
//! - Within a lane the messages of one user are handled in order ([`by_user`]).
//! - No more than a batch is in memory, however long the backlog.
//!
//! A lane without a handler keeps its messages: they wait. Adding a handler is a file under `handlers/` and a line there.

mod by_user;
pub(crate) mod chat;
pub(crate) mod delivering;
pub(crate) mod envelope;
mod figures;
pub mod handlers;
mod lane;
mod one_by_one;
mod run;

use async_trait::async_trait;
use store::model::{LaneFence, Message};

use crate::failure::Result;
use crate::world::World;

pub use by_user::by_user;
pub use handlers::{handlers, list_outside_lanes};
pub(crate) use one_by_one::OneByOne;
pub use run::{drain, run_until};

/// What a handler says of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandlerOutcome {
    Done,
    /// Done, and the message is gone already: the handler finished it in the transaction that gave what it was to give.
    Finished,
    /// Another system was told, and reports back.
    HandedOver,
    /// Worth another try; why it failed.
    Again(String),
    /// Never to be tried again; why.
    Dead(String),
    /// Nothing is to be written of it: the handler did not come to it.
    Kept,
}

/// How much of a lane is taken at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneLimits {
    /// Messages in a batch.
    pub batch: u32,
    /// Messages that are under way at once, for a handler that goes outside.
    pub at_once: usize,
}

/// Carries out the messages of one lane, or of several that are alike.
#[async_trait]
pub trait Handler: Send + Sync {
    /// For figures and the log; the name of its lane, if it has one.
    fn name(&self) -> &'static str;

    fn limits(&self) -> LaneLimits;

    /// Whether its messages reach somebody outside, who may have heard of them before a restore: then they wait for a look
    /// after one. What is written to our own rows alone is simply written again.
    fn reaches_outside(&self) -> bool;

    async fn lanes(&self, _: &World) -> Result<Vec<String>> {
        Ok(vec![self.name().to_owned()])
    }

    /// What came of each message, in order. A failure is about none of them in particular: they are tried one by one, and
    /// where the world is too busy, all of them later.
    async fn handle(
        &self,
        world: &World,
        fence: &LaneFence,
        batch: &[Message],
    ) -> Result<Vec<HandlerOutcome>>;
}
