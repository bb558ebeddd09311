//! Decisions about one's texts and appeals against them; texts that wait for a moderator.

use domain::community::AppealText;
use domain::ids::UserId;
use store::model::{
    AppealCaseRow, AppealCreate, AppealDecide, AppealsFind, AuditStamp, DecisionRow, FeedPage, FeedRequest,
    HeldRow,
};

use super::release_terms;
use crate::failure::Result;
use crate::world::World;

/// What moderators decided about somebody's texts, newest first.
pub async fn my_decisions(world: &World, user: UserId) -> Result<Vec<DecisionRow>> {
    world.db.decisions_find(user).await
}

/// Appeals. The same words again are the same.
pub async fn appeal_create(world: &World, user: UserId, decision: i64, text: &str) -> Result<()> {
    let text = AppealText::parse(text)?;
    world.db.appeal_create(AppealCreate { user, decision, text, now: world.now() }).await
}

pub async fn appeal_list(world: &World, find: AppealsFind) -> Result<FeedPage<AppealCaseRow>> {
    world.db.appeals_find(find).await
}

/// Decides an appeal; granted, the text is back for everybody.
pub async fn appeal_decide(world: &World, decision: i64, granted: bool, signed: AuditStamp) -> Result<()> {
    let restored = AuditStamp { audit_id: world.next_id(), ..signed.clone() };
    let terms = release_terms(world);
    world.db.appeal_decide(AppealDecide { decision, granted, signed, restored, terms }).await
}

/// Texts that wait for a moderator, newest first.
pub async fn held_list(world: &World, page: FeedRequest) -> Result<FeedPage<HeldRow>> {
    world.db.held_find(page).await
}
