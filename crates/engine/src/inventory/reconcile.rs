//! One pass of the audit now, because somebody wants to know; with corrections if they say why.

use std::sync::Arc;

use domain::Rejection;
use domain::account::Reason;
use store::model::Actor;

use crate::failure::Result;
use crate::inventory::auditing::{Fix, Pass, run_pass};
use crate::world::World;

#[derive(Clone, Debug)]
pub struct Reconcile {
    pub fix: bool,
    pub reason: String,
    pub actor: Actor,
    pub request_id: String,
}

/// The pass, finished or still under way: then it is found on the board. One at a time.
pub async fn reconcile(world: &Arc<World>, ask: Reconcile) -> Result<Pass> {
    let pass = begin(world, &ask)?;
    let ran = tokio::spawn({
        let (world, fix) = (Arc::clone(world), fix(ask));
        async move { run_pass(&world, pass, fix.as_ref(), None).await }
    });
    match tokio::time::timeout(world.settings.reconcile_wait, ran).await {
        Ok(Ok(pass)) => Ok(pass),
        Ok(Err(error)) => Err(crate::Fault::caused("the audit", error).into()),
        Err(_) => Ok(world.ledger.audits.asked().unwrap_or_default()),
    }
}

/// The same without a server around it, to the end.
pub async fn reconcile_here(world: &World, ask: Reconcile) -> Result<Pass> {
    let pass = begin(world, &ask)?;
    Ok(run_pass(world, pass, fix(ask).as_ref(), None).await)
}

fn begin(world: &World, ask: &Reconcile) -> Result<Pass> {
    if ask.fix {
        Reason::parse(&ask.reason)?;
    }
    let begun = world.ledger.audits.begin_asked(world.now(), ask.fix);
    Ok(begun.ok_or(Rejection::Overloaded { retry_after_s: 1 })?)
}

fn fix(ask: Reconcile) -> Option<Fix> {
    let Reconcile { fix, reason, actor, request_id } = ask;
    fix.then_some(Fix { actor, reason, request_id })
}
