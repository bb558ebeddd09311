//! Messages of what may be found by other words now. The index and the end of the messages are one transaction, so a message
//! that comes again finds what it wrote and changes nothing.

use async_trait::async_trait;
use domain::search::IndexedKind;
use store::model::{LaneFence, Message, SEARCH, SearchIndexWrite};

use crate::failure::Result;
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

/// Messages in one transaction: a post has up to twenty thousand characters, and others wait for the writer.
const BATCH: u32 = 20;

#[derive(Debug)]
pub(crate) struct SearchIndex;

#[async_trait]
impl Handler for SearchIndex {
    fn name(&self) -> &'static str {
        SEARCH
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
        let (mut outcomes, mut messages) = (Vec::with_capacity(batch.len()), Vec::new());
        for message in batch {
            match IndexedKind::parse(&message.body) {
                Some(kind) => {
                    messages.push((message.clone(), kind));
                    outcomes.push(HandlerOutcome::Finished);
                }
                None => outcomes.push(HandlerOutcome::Dead(format!("no kind: {}", message.body))),
            }
        }
        let step = SearchIndexWrite { fence: fence.clone(), messages, now: world.now() };
        world.db.search_index_write(step).await?;
        Ok(outcomes)
    }
}
