//! The audit log, for whoever may read it.

use domain::page::{Page, PageRequest};
use store::model::{AuditQuery, AuditRow};

use crate::failure::Result;
use crate::world::World;

/// The newest first.
pub async fn audit_list(world: &World, query: AuditQuery, page: PageRequest) -> Result<Page<AuditRow>> {
    world.db.audit_list(query, page).await
}
