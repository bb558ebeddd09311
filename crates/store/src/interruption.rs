//! Crashes and lost answers around a step, for tests. Builds without debug assertions have none of this.
//!
//! A test names a step by the type of its argument and says what happens before or after it, once.

use std::any::TypeId;
use std::collections::HashMap;
use std::future::pending;
use std::sync::{Arc, Mutex, PoisonError};

use domain::Rejection;
use tokio::sync::Notify;

use crate::failure::Result;

/// Where in a step something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepMoment {
    /// Nothing is written yet.
    Before,
    /// All is committed, and nobody was told.
    After,
}

/// What happens there, once, after `reached` was notified.
#[derive(Clone, Debug)]
pub enum Interruption {
    /// The process dies: the caller never hears anything.
    Death { reached: Arc<Notify> },
    /// Nothing happens until `go_on` is notified; then all goes on.
    Pause { reached: Arc<Notify>, go_on: Arc<Notify> },
    /// The answer is lost: once `go_on` is notified, the caller hears that the outcome is unknown.
    LostAnswer { reached: Arc<Notify>, go_on: Arc<Notify> },
}

#[derive(Debug, Default)]
pub(crate) struct Interruptions(Mutex<HashMap<(TypeId, StepMoment), Interruption>>);

impl Interruptions {
    pub fn set<I: 'static>(&self, moment: StepMoment, interruption: Interruption) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert((TypeId::of::<I>(), moment), interruption);
    }

    pub async fn meet<I: 'static>(&self, moment: StepMoment) -> Result<()> {
        let met = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.remove(&(TypeId::of::<I>(), moment))
        };
        match met {
            None => Ok(()),
            Some(Interruption::Death { reached }) => {
                reached.notify_one();
                pending().await
            }
            Some(Interruption::Pause { reached, go_on }) => {
                reached.notify_one();
                go_on.notified().await;
                Ok(())
            }
            Some(Interruption::LostAnswer { reached, go_on }) => {
                reached.notify_one();
                go_on.notified().await;
                Err(Rejection::OutcomeUnknown.into())
            }
        }
    }
}
