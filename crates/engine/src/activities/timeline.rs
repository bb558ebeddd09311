//! What happened to an activity: who did what, when and why.
//!
//! The lines of the audit log about it, for everybody who may look at activities: whoever runs one has to know what others
//! did to it.

use domain::ids::ActivityId;
use domain::page::{Page, PageRequest};
use store::model::{AuditQuery, AuditRow};

use crate::access::audit_log::audit_list;
use crate::activities::prizes::subject;
use crate::failure::Result;
use crate::world::World;

/// The newest first. One that was taken back before it was published has a timeline too.
pub async fn activity_timeline(world: &World, id: ActivityId, page: PageRequest) -> Result<Page<AuditRow>> {
    let query = AuditQuery { subject: Some(subject(id)), ..AuditQuery::default() };
    audit_list(world, query, page).await
}
