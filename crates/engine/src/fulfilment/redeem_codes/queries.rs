//! A code in the clear: for whoever it was given to, and for an operator who says why.

use domain::Rejection;
use domain::account::Reason;
use domain::ids::FulfilmentId;
use domain::redeem::Chunk;
use domain::rejection::MissingThing;
use store::model::{AuditStamp, CodePlace};

use crate::failure::{Fault, Result};
use crate::ports::SealContext;
use crate::world::World;

/// The code that was given for a fulfilment, for its winner; nothing when none was. The caller has made sure whose it is.
pub async fn code_of(world: &World, id: FulfilmentId) -> Result<Option<String>> {
    match world.db.code_look(id).await? {
        Some(found) => open(world, &found).map(Some),
        None => Ok(None),
    }
}

/// The same for staff, who are named in the audit log for it, with their reason.
pub async fn code_look(world: &World, mut signed: AuditStamp, id: FulfilmentId) -> Result<String> {
    signed.reason = Reason::parse(&signed.reason)?.as_str().to_owned();
    let found = world.db.code_look_audited(id, signed).await?;
    open(world, &found.ok_or(Rejection::NotFound { what: MissingThing::GivenCode })?)
}

fn open(world: &World, found: &CodePlace) -> Result<String> {
    let chunk = Chunk(world.outside.vault.open(SealContext::Code, &found.sealed)?);
    let code = chunk.code(found.place as usize);
    Ok(code.ok_or_else(|| Fault::new("a chunk of codes is shorter than its row says"))?.to_owned())
}
