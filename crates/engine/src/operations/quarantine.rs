//! After a restore: what waits for a look, and what becomes of it.

use domain::Rejection;
use domain::account::Reason;
use domain::ids::CodePoolId;
use domain::page::{Page, PageRequest};
use domain::rejection::FieldProblem;
use store::model::Message;
use store::model::{
    AuditStamp, CodePoolRelease, CodePoolRow, QUARANTINE_MOVE_MAX, QuarantineAct, QuarantineBegin,
    QuarantineBegun, QuarantineContents, QuarantineMove,
};

use crate::failure::Result;
use crate::relay::list_outside_lanes;
use crate::world::World;

/// Everything that would go outside now waits, and no pool gives a code.
pub async fn quarantine_begin(world: &World, signed: AuditStamp) -> Result<QuarantineBegun> {
    world.db.quarantine_begin(QuarantineBegin { lanes: list_outside_lanes(), signed }).await
}

/// What waits; also told to the metrics.
pub async fn quarantine_list(world: &World) -> Result<QuarantineContents> {
    let found = world.db.quarantine_list().await?;
    let messages: u64 = found.lanes.iter().map(|lane| lane.messages).sum();
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    {
        metrics::gauge!("windfall_quarantined_messages").set(messages as f64);
        metrics::gauge!("windfall_quarantined_code_pools").set(found.code_pools.len() as f64);
    }
    Ok(found)
}

/// One message of a lane, or all of them, however many; answers how many. A message that does not wait any more is none.
pub async fn quarantine_move(
    world: &World,
    signed: AuditStamp,
    lane: String,
    message: Option<&str>,
    act: QuarantineAct,
) -> Result<u64> {
    Reason::parse(&signed.reason)?;
    let malformed = |_| Rejection::invalid("message", FieldProblem::Malformed);
    let message = message.map(|id| id.parse::<i64>().map_err(malformed)).transpose()?;
    let mut all = 0;
    loop {
        // Each step has a line of its own in the audit log.
        let signed = world.audit_stamp(signed.actor, &signed.reason, &signed.request_id);
        let step = QuarantineMove { lane: lane.clone(), message, act, signed };
        let moved = world.db.quarantine_move(step).await?;
        all += moved;
        if moved < u64::from(QUARANTINE_MOVE_MAX) {
            break;
        }
    }
    quarantine_list(world).await?;
    Ok(all)
}

pub async fn code_pool_release(
    world: &World,
    signed: AuditStamp,
    pool: CodePoolId,
    skip: i64,
) -> Result<CodePoolRow> {
    Reason::parse(&signed.reason)?;
    let range = FieldProblem::OutOfRange { min: 0, max: i64::from(store::model::CODES_MAX) };
    let skip = u64::try_from(skip).ok().filter(|skip| *skip <= u64::from(store::model::CODES_MAX));
    let skip = skip.ok_or_else(|| Rejection::invalid("skip", range))?;
    let row = world.db.code_pool_release(CodePoolRelease { pool, skip, signed }).await?;
    quarantine_list(world).await?;
    Ok(row)
}

/// Messages that wait for a look, the oldest first; of one lane if it is named.
pub async fn quarantined_messages(
    world: &World,
    lane: Option<String>,
    page: PageRequest,
) -> Result<Page<Message>> {
    world.db.quarantined_messages(lane, page).await
}
