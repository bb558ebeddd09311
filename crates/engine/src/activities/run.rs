//! Steps of a published activity by hand: close, reopen, pause, resume. And the one way every step goes: decided in the
//! database, then carried to the ledger.

use domain::access::Decider;
use domain::account::Reason;
use domain::activity::Action;
use domain::ids::ActivityId;
use domain::lottery::random::DrawSecret;
use store::model::{ActivityAct, ActivityRow, AuditStamp, NewSecret, SeenEdition};

use crate::access::key_admin::principal;
use crate::activities::ledger_sync::sync_with_ledger;
use crate::activities::queries::activity_get;
use crate::activity_cache::forget_published;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::once;
use crate::ports::SealContext;
use crate::world::World;

/// What people do with a published activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    Close,
    /// The kill switch of one activity.
    Pause,
    Resume,
    /// A new round under a new secret; pools keep what is left in them.
    Reopen,
}

impl Run {
    const fn action(self) -> Action {
        match self {
            Self::Close => Action::Close,
            Self::Pause => Action::Pause,
            Self::Resume => Action::Resume,
            Self::Reopen => Action::Reopen,
        }
    }

    /// Ending a round and beginning one are for good. The switch is pulled in haste, and put back.
    const fn needs_a_reason(self) -> bool {
        match self {
            Self::Close | Self::Reopen => true,
            Self::Pause | Self::Resume => false,
        }
    }
}

pub async fn activity_run(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: ActivityId,
    run: Run,
) -> Result<ActivityRow> {
    if run.needs_a_reason() {
        Reason::parse(&signed.reason)?;
    }
    // Whoever may do this at all may do it: no second person is asked for.
    act(world, Acting::new(id, run.action(), Decider::Console, signed, repeat)).await
}

/// A step about to be taken.
pub(crate) struct Acting {
    pub id: ActivityId,
    pub action: Action,
    pub by: Decider,
    pub signed: AuditStamp,
    pub repeat: Option<Repeat>,
    pub seen: Option<SeenEdition>,
    pub tree_version: Option<u32>,
}

impl Acting {
    pub fn new(
        id: ActivityId,
        action: Action,
        by: Decider,
        signed: AuditStamp,
        repeat: Option<Repeat>,
    ) -> Self {
        Self { id, action, by, signed, repeat, seen: None, tree_version: None }
    }
}

/// Takes the step and carries it. When the ledger cannot take it now, the step is taken all the same, the answer says
/// that it is not carried yet, and the job carries it.
pub(crate) async fn act(world: &World, acting: Acting) -> Result<ActivityRow> {
    let Acting { id, action, by, signed, repeat, seen, tree_version } = acting;
    if !signed.reason.is_empty() {
        Reason::parse(&signed.reason)?;
    }
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let secret = matches!(action, Action::Approve | Action::Reopen).then(|| new_secret(world));
    world.db.activity_act(ActivityAct { id, action, by, seen, tree_version, secret, once, signed }).await?;
    sync_now(world, id).await;
    activity_get(world, id).await
}

/// Carries what was decided, as far as it goes now.
pub(crate) async fn sync_now(world: &World, id: ActivityId) {
    forget_published(world, id);
    if let Err(failure) = sync_with_ledger(world, id).await {
        tracing::warn!(activity = %id, %failure, "the ledger has yet to hear of a step; the job carries it");
    }
}

pub(crate) fn new_secret(world: &World) -> NewSecret {
    let secret = DrawSecret::new(world.bytes());
    NewSecret {
        sealed: world.outside.vault.seal(SealContext::Secret, secret.reveal()),
        commitment: secret.commitment(),
    }
}
