//! What may be a few seconds old: read once for everybody who looks at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::ids::ActivityId;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::single_flight::SingleFlight;

/// Activities kept at most; beyond it, all are let go of.
const KEPT_MAX: usize = 1_000;

/// One answer per activity, for a while.
#[derive(Debug)]
pub(crate) struct TtlCache<T> {
    kept: Mutex<HashMap<ActivityId, (Timestamp, Arc<T>)>>,
    /// A crowd reads once.
    reading: SingleFlight<ActivityId>,
}

impl<T> Default for TtlCache<T> {
    fn default() -> Self {
        Self { kept: Mutex::default(), reading: SingleFlight::default() }
    }
}

impl<T> TtlCache<T> {
    /// What was read less than `keep_ms` before `now`, or what `read` says.
    pub async fn find(
        &self,
        activity: ActivityId,
        now: Timestamp,
        keep_ms: i64,
        read: impl Future<Output = Result<T>> + Send,
    ) -> Result<Arc<T>> {
        if let Some(found) = self.kept(activity, now, keep_ms) {
            return Ok(found);
        }
        let _turn = self.reading.turn(activity).await;
        if let Some(found) = self.kept(activity, now, keep_ms) {
            return Ok(found);
        }
        let found = Arc::new(read.await?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(activity, (now, Arc::clone(&found)));
        Ok(found)
    }

    /// It has changed: whoever looks next reads.
    pub fn forget(&self, activity: ActivityId) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(&activity);
    }

    /// Within the while, before or after: whoever waited for the reader began a little earlier.
    fn kept(&self, activity: ActivityId, now: Timestamp, keep_ms: i64) -> Option<Arc<T>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, found) = kept.get(&activity)?;
        let age = now.0 - at.0;
        (age > -keep_ms && age < keep_ms).then(|| Arc::clone(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When it is asked for, after it was read at 1000, and whether it is read again.
    #[tokio::test]
    async fn an_answer_is_kept_for_a_while() {
        for (now, again) in
            [(1_000, false), (1_099, false), (950, false), (1_100, true), (900, true), (0, true)]
        {
            let brief = TtlCache::default();
            let find =
                |now, value: u32| brief.find(ActivityId(7), Timestamp(now), 100, async move { Ok(value) });
            assert_eq!(*find(1_000, 1).await.unwrap(), 1);
            assert_eq!(*find(now, 2).await.unwrap(), if again { 2 } else { 1 }, "{now}");
            let other = brief.find(ActivityId(8), Timestamp(1_000), 100, async { Ok(3) }).await.unwrap();
            assert_eq!(*other, 3, "each activity has its own");
            brief.forget(ActivityId(7));
            assert_eq!(*find(1_000, 4).await.unwrap(), 4, "forgotten");
        }
    }
}
