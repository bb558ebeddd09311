//! How the switch for everything is: who pressed it, when and why.

use domain::page::PageRequest;
use serde_json::Value as Json;
use store::model::{AuditQuery, AuditRow};

use crate::access::audit_log::audit_list;
use crate::activities::prizes::{HALT_ACTION, is_halted};
use crate::failure::Result;
use crate::world::World;

/// Presses that are looked through for the one that stopped what was running: pressing again changes nothing.
const PRESSES_MAX: u32 = 20;

#[derive(Clone, Debug)]
pub struct HaltStatus {
    pub on: bool,
    /// The line of the audit log about the press that stopped everything, while it is stopped.
    pub press: Option<AuditRow>,
}

/// As far as the database has followed the ledger.
pub async fn halt_status(world: &World) -> Result<HaltStatus> {
    if !is_halted(world).await? {
        return Ok(HaltStatus { on: false, press: None });
    }
    let query = AuditQuery { action: Some(HALT_ACTION.to_owned()), ..AuditQuery::default() };
    let presses = audit_list(world, query, PageRequest::first(PRESSES_MAX)).await?.items;
    let stopped = presses.iter().find(|press| !was_halted(press)).or(presses.first()).cloned();
    Ok(HaltStatus { on: true, press: stopped })
}

/// Whether everything was stopped before this press.
fn was_halted(press: &AuditRow) -> bool {
    let before: Json = serde_json::from_str(&press.before).unwrap_or_default();
    before["halted"] == true
}
