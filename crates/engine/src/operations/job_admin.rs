//! What admins do with jobs: look, change the schedule, pause, run now.

use domain::Rejection;
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use store::model::RunRow;
use store::model::{AuditStamp, JobEdit, JobRow};

use crate::failure::Result;
use crate::jobs::{Job, Schedule};
use crate::world::World;

#[derive(Clone, Debug, Default)]
pub struct JobChange {
    pub schedule: Option<String>,
    pub parameters: Option<serde_json::Value>,
    pub paused: Option<bool>,
}

pub async fn job_find(world: &World, name: &str) -> Result<JobRow> {
    let jobs = world.db.job_list().await?;
    Ok(jobs
        .into_iter()
        .find(|job| job.name == name)
        .ok_or(Rejection::NotFound { what: MissingThing::Job })?)
}

pub async fn job_edit(world: &World, signed: AuditStamp, name: &str, change: JobChange) -> Result<JobRow> {
    let next_due = match &change.schedule {
        None => None,
        Some(text) => Some(Schedule::parse(text)?.next_after(world.now(), &world.settings.site_zone)?),
    };
    let parameters = match change.parameters {
        None => None,
        Some(value) => {
            let job = Job::named(name).ok_or(Rejection::NotFound { what: MissingThing::Job })?;
            job.check(&value)?;
            Some(value.to_string())
        }
    };
    let step = JobEdit {
        name: name.to_owned(),
        schedule: change.schedule,
        parameters,
        paused: change.paused,
        next_due,
        run_now: false,
        signed,
    };
    world.db.job_edit(step).await?;
    job_find(world, name).await
}

/// Makes the job due at once; the next free worker takes it. A paused job runs once and stays paused.
pub async fn job_run_now(world: &World, signed: AuditStamp, name: &str) -> Result<JobRow> {
    let step = JobEdit {
        name: name.to_owned(),
        schedule: None,
        parameters: None,
        paused: None,
        next_due: None,
        run_now: true,
        signed,
    };
    world.db.job_edit(step).await?;
    job_find(world, name).await
}

pub async fn job_list(world: &World) -> Result<Vec<JobRow>> {
    world.db.job_list().await
}

/// The newest first.
pub async fn job_runs(world: &World, name: &str, page: PageRequest) -> Result<Page<RunRow>> {
    let job = job_find(world, name).await?;
    world.db.job_runs(job.name, page).await
}
