//! What operators do with a sale while it runs: more units or fewer, and a later end. Neither waits for a second person:
//! both give people more of what was approved, and are in the audit log with a reason. What a key adds counts in the day of
//! its maker.

use domain::Rejection;
use domain::access::Handout;
use domain::account::Reason;
use domain::activity::PoolUse;
use domain::ids::ActivityId;
use domain::ledger::{Act, Command, Effect, Key, PoolView, TOTAL_MAX};
use domain::rejection::FieldProblem;
use domain::time::Timestamp;
use serde_json::{Value as Json, json};
use store::model::{ActivityRow, AuditStamp, SaleExtend};

use crate::access::audited;
use crate::access::audited::AuditedAct;
use crate::access::key_admin::principal;
use crate::activities::prizes::{Restock, ensure_restockable, note, subject, unexpected_answer};
use crate::activities::queries::activity_get;
use crate::activities::run::{new_secret, sync_now};
use crate::activity_cache::forget_published;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::inventory::{stock_rejection, text};
use crate::people::entry::once;
use crate::ports::StockAnswer;
use crate::sales::queries::sale_get;
use crate::world::World;

/// Units to add, or with a minus to take away from what is free. Its id makes it safe to repeat.
pub async fn sale_restock(
    world: &World,
    signed: AuditStamp,
    activity: ActivityId,
    restock: Restock,
) -> Result<PoolView> {
    sale_get(world, activity).await?;
    let (max, delta) = (TOTAL_MAX.cast_signed(), restock.delta);
    if delta == 0 || !(-max..=max).contains(&delta) {
        return Err(Rejection::invalid("delta", FieldProblem::OutOfRange { min: -max, max }).into());
    }
    let id = text("id", &restock.id)?;
    let key = Key::of("sale", activity.0, &format!("restock/{}", id.as_str()));
    let name = PoolUse::Sale.pool_name(activity);
    let command = Command::direct(key, note(&signed)?, Act::PoolAdjust { pool: name.pool(), delta });
    ensure_restockable(world, activity, &command).await?;
    let act = AuditedAct::new("activity.restock", subject(activity), Json::Null, json!({ "delta": delta }));
    let answer = if delta > 0 && signed.by_key() {
        audited::ask_handout(world, activity.0, command, Handout::Pieces(delta), act, signed).await?
    } else if delta > 0 {
        audited::ask(world, activity.0, command, act, signed).await?
    } else {
        audited::ask_stop(world, activity.0, command, act, signed).await?
    };
    forget_published(world, activity);
    match answer {
        StockAnswer::Accepted(Effect::Pool(view)) | StockAnswer::Replayed(Effect::Pool(view)) => Ok(view),
        StockAnswer::Refused(refusal) => Err(stock_rejection(&refusal, &name)?.into()),
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Err(unexpected_answer()),
    }
}

/// A later end, as a version of its own. An earlier one is a close.
pub async fn sale_extend(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: ActivityId,
    until: Timestamp,
) -> Result<ActivityRow> {
    sale_get(world, id).await?;
    Reason::parse(&signed.reason)?;
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    world.db.sale_extend(SaleExtend { id, until, secret: new_secret(world), once, signed }).await?;
    sync_now(world, id).await;
    activity_get(world, id).await
}
