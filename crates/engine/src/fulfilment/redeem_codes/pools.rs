//! Pools of codes: made once under a name of their own, found, listed.

use domain::Rejection;
use domain::ids::CodePoolId;
use domain::page::{Page, PageRequest};
use domain::redeem::pool_name;
use domain::rejection::{FieldProblem, MissingThing};
use store::model::{AuditStamp, CodePoolEdit, CodePoolMake, CodePoolRow, LOW_BELOW_MAX};

use crate::access::key_admin::principal;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::once;
use crate::world::World;

/// Operators are told when fewer codes are left, unless the pool says otherwise.
pub const LOW_BELOW_DEFAULT: i64 = 100;

pub async fn code_pool_make(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    name: &str,
    low_below: i64,
) -> Result<CodePoolRow> {
    let name = pool_name(name)?;
    let low_below = threshold(low_below)?;
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let step = CodePoolMake { id: CodePoolId(world.next_id()), name, low_below, once, signed };
    let made = world.db.code_pool_make(step).await?;
    code_pool_find(world, CodePoolId(made.id)).await
}

/// Another threshold; operators are told by it from the next minute on.
pub async fn code_pool_edit(
    world: &World,
    signed: AuditStamp,
    pool: CodePoolId,
    low_below: i64,
) -> Result<CodePoolRow> {
    let step = CodePoolEdit { pool, low_below: threshold(low_below)?, signed };
    world.db.code_pool_edit(step).await
}

fn threshold(low_below: i64) -> Result<u32, Rejection> {
    let problem = FieldProblem::OutOfRange { min: 0, max: i64::from(LOW_BELOW_MAX) };
    let low_below = u32::try_from(low_below).ok().filter(|below| *below <= LOW_BELOW_MAX);
    low_below.ok_or_else(|| Rejection::invalid("low_below", problem))
}

pub async fn code_pool_find(world: &World, pool: CodePoolId) -> Result<CodePoolRow> {
    let found = world.db.code_pool(pool).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::CodePool })?)
}

/// The newest first; with a name, the one that has it.
pub async fn code_pool_list(
    world: &World,
    name: Option<&str>,
    page: PageRequest,
) -> Result<Page<CodePoolRow>> {
    let name = name.map(pool_name).transpose()?;
    world.db.code_pool_list(name, page).await
}
