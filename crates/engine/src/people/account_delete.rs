//! Deletes an account: personal data goes, ledger rows keep an id that belongs to nobody.
//!
//! Limits and blocks stay with the id for a while, and a keyed hash leads whoever returns back to them.

use domain::Rejection;
use domain::account::{CodeHolder, CodePurpose, PhoneCode};
use domain::ids::UserId;
use domain::rejection::{FieldProblem, MissingThing};
use store::model::{AccountDelete, AuditStamp, DeletionProof};

use crate::caller::Caller;
use crate::failure::Result;
use crate::people::entry::{code_try, external_id, external_mark};
use crate::people::external_ids::find_by_external_id;
use crate::people::tries::{Guesser, begin_try};
use crate::world::World;

/// By its owner: `code` proves the phone. An account without a phone is deleted by the company whose user it is.
pub async fn account_delete(world: &World, caller: &Caller, user: UserId, code: Option<&str>) -> Result<()> {
    let account = world.db.account(user).await?.ok_or(Rejection::NotFound { what: MissingThing::User })?;
    let Some(index) = account.phone_index else { return Err(Rejection::DeletionByCompany.into()) };
    let code = code.ok_or_else(|| Rejection::invalid("code", FieldProblem::Missing))?;
    let code = PhoneCode::parse(code)?;
    let tried = begin_try(world, caller, Guesser::SignedIn(user)).await?;
    let holder = CodeHolder::User(user);
    let proof = DeletionProof::Code(code_try(world, caller, holder, index, CodePurpose::ConfirmPhone, &code));
    delete(world, user, proof).await?;
    tried.succeed(world).await
}

/// By the company, for one of its own users.
pub async fn external_user_delete(world: &World, signed: AuditStamp, external: &str) -> Result<()> {
    let user = find_by_external_id(world, external).await?;
    let mark = external_mark(world, &external_id(external)?);
    delete(world, user, DeletionProof::Company { mark, signed }).await
}

async fn delete(world: &World, user: UserId, proof: DeletionProof) -> Result<()> {
    let now = world.now();
    let limits_kept_until = now + world.settings.limits_kept_ms;
    world.db.account_delete(AccountDelete { user, proof, limits_kept_until, now }).await?;
    world.people.sessions.forget_user(user);
    // It is of follows that are gone, and would not be read again.
    if let Err(fault) = world.outside.timelines.forget(user).await {
        tracing::warn!(error = fault.story(), "the timeline of a deleted account was not dropped");
    }
    Ok(())
}
