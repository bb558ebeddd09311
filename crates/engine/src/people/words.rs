//! The word filter over what people write: kept ready in memory, in the version that the database has.
//!
//! Every text asks for the version first, a row by its key, so a change is in effect at once on every node.

use std::sync::{Arc, PoisonError, RwLock};

use domain::community::{WordFilter, WordRuling};

use crate::failure::Result;
use crate::world::World;

/// The list as it was read last. It can be read anew at any time.
#[derive(Debug, Default)]
pub struct WordFilterCache(RwLock<Option<Arc<WordFilter>>>);

impl WordFilterCache {
    fn get(&self) -> Option<Arc<WordFilter>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps the newer one: two may be read at a time.
    fn keep(&self, filter: Arc<WordFilter>) -> Arc<WordFilter> {
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some(known) if known.version() >= filter.version() => Arc::clone(known),
            Some(_) | None => {
                *kept = Some(Arc::clone(&filter));
                filter
            }
        }
    }
}

/// The list of this moment.
pub(crate) async fn word_filter(world: &World) -> Result<Arc<WordFilter>> {
    let cache = &world.people.words;
    let known = cache.get();
    let newer = world.db.words_load(known.as_ref().map(|filter| filter.version())).await?;
    match (newer, known) {
        (Some(list), _) => Ok(cache.keep(Arc::new(WordFilter::build(list.version, list.words)))),
        (None, Some(known)) => Ok(known),
        (None, None) => Ok(cache.keep(Arc::new(WordFilter::build(0, Vec::new())))),
    }
}

/// Passes a name, which can neither be held nor be written in stars.
pub(crate) async fn check_name(world: &World, name: &str) -> Result<()> {
    let mut ruling = WordRuling::default();
    ruling.read_strictly(word_filter(world).await?.as_ref(), name);
    Ok(ruling.check()?)
}
