//! The registry of jobs, their leases and runs.

use domain::ids::RunId;
use domain::job::RunOutcome;
use domain::page::PageRequest;
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;

pub fn defaults(names: &[&'static str]) -> Vec<JobDefault> {
    let schedule = "every 1m".to_owned();
    (0..)
        .zip(names)
        .map(|(after_ms, name)| JobDefault {
            name,
            schedule: schedule.clone(),
            parameters: "{}".into(),
            first_due: T0 + after_ms,
        })
        .collect()
}

pub fn claim(holder: &str, run: i64, after_ms: i64) -> JobClaim {
    JobClaim { holder: holder.into(), now: T0 + after_ms, lease_ms: 1_000, run: RunId(run) }
}

fn finish(run: &JobRun, outcome: RunOutcome, next_after_ms: i64) -> JobFinish {
    JobFinish {
        fence: run.fence.clone(),
        run: run.run,
        outcome,
        handled: 7,
        detail: "fine".into(),
        cursor: "here".into(),
        finished: T0 + 50,
        next_due: T0 + next_after_ms,
        idle_kept_ms: 0,
    }
}

fn edit(name: &str, audit: i64) -> JobEdit {
    JobEdit {
        name: name.into(),
        schedule: None,
        parameters: None,
        paused: None,
        next_due: None,
        run_now: false,
        signed: signed(Actor::Console, audit),
    }
}

on_both! {
    operators_changes_survive_a_new_start,
    the_longest_due_goes_first_and_each_to_one_worker,
    fifty_workers_share_three_jobs,
    a_worker_that_lost_its_lease_writes_nothing,
    whoever_owns_the_folder_ends_the_leases_of_the_dead,
    a_paused_job_runs_only_by_hand_and_once,
    of_idle_runs_a_few_are_kept_and_the_newest,
    by_hand_comes_before_its_time_and_before_others,
    runs_are_paged_newest_first,
}

async fn operators_changes_survive_a_new_start(db: &Db) {
    db.jobs_declare(defaults(&["a"])).await.unwrap();
    let change = JobEdit { schedule: Some("every 9m".into()), paused: Some(true), ..edit("a", 1) };
    db.job_edit(change.clone()).await.unwrap();
    db.job_edit(JobEdit { signed: signed(Actor::Console, 2), ..change }).await.unwrap();
    db.jobs_declare(defaults(&["a", "b"])).await.unwrap();
    let jobs = db.job_list().await.unwrap();
    let seen: Vec<_> =
        jobs.iter().map(|job| (job.name.as_str(), job.schedule.as_str(), job.paused)).collect();
    assert_eq!(seen, [("a", "every 9m", true), ("b", "every 1m", false)]);
    assert_eq!(audited(db, "job:a").await, ["job.edit"], "the same again is no change");
    assert_eq!(said(db.job_edit(edit("c", 3)).await), "not_found");
}

async fn the_longest_due_goes_first_and_each_to_one_worker(db: &Db) {
    db.jobs_declare(defaults(&["z", "a"])).await.unwrap();
    let first = db.job_claim(claim("w1", 1, 5)).await.unwrap().unwrap();
    assert_eq!((first.job.as_str(), first.fence.term, first.cursor.as_str()), ("z", 1, ""));
    assert_eq!(db.job_claim(claim("w2", 2, 5)).await.unwrap().unwrap().job, "a");
    assert_eq!(db.job_claim(claim("w3", 3, 5)).await.unwrap(), None);
    assert_eq!(db.job_claim(claim("w1", 4, 5)).await.unwrap(), None, "nor to the same worker twice");
    assert_eq!(db.job_list().await.unwrap()[1].holder.as_deref(), Some("w1"));

    db.job_finish(finish(&first, RunOutcome::More, 100)).await.unwrap();
    assert_eq!(db.job_claim(claim("w3", 5, 99)).await.unwrap(), None, "not due yet");
    let next = db.job_claim(claim("w3", 6, 100)).await.unwrap().unwrap();
    assert_eq!((next.job.as_str(), next.fence.term, next.cursor.as_str()), ("z", 2, "here"));
}

async fn fifty_workers_share_three_jobs(db: &Db) {
    db.jobs_declare(defaults(&["a", "b", "c"])).await.unwrap();
    let claims = (1..=50).map(|n| async move {
        db.job_claim(claim(&format!("w{n}"), n, 10)).await.unwrap().map(|run| run.job)
    });
    let mut taken: Vec<String> = join_all(claims).await.into_iter().flatten().collect();
    taken.sort_unstable();
    assert_eq!(taken, ["a", "b", "c"]);
}

/// A worker that was paused for an hour wakes up harmless.
async fn a_worker_that_lost_its_lease_writes_nothing(db: &Db) {
    db.jobs_declare(defaults(&["a"])).await.unwrap();
    let slow = db.job_claim(claim("slow", 1, 0)).await.unwrap().unwrap();
    let heir = db.job_claim(claim("heir", 2, 1_000)).await.unwrap().unwrap();
    assert_eq!(heir.fence.term, slow.fence.term + 1);
    assert_eq!(said(db.job_finish(finish(&slow, RunOutcome::Done, 0)).await), "lease_lost");
    let sweep = Sweep::Links { expired_before: T0 };
    assert_eq!(said(db.sweep(slow.fence.clone(), sweep, 10).await), "lease_lost");
    let row = SealedRow { kind: SealedColumn::Phone, user: 1, id: 0, sealed: vec![] };
    assert_eq!(said(db.reseal(slow.fence, row, vec![]).await), "lease_lost");
    assert_eq!(said(db.sweep(heir.fence.clone(), sweep, 10).await), "ok");
    db.job_finish(finish(&heir, RunOutcome::Done, 9_000)).await.unwrap();
    assert_eq!(said(db.sweep(heir.fence.clone(), sweep, 10).await), "lease_lost", "it let go itself");
    assert_eq!(
        said(db.job_finish(finish(&heir, RunOutcome::Done, 9_000)).await),
        "ok",
        "finishing is repeatable"
    );

    let runs = db.job_runs("a".into(), PageRequest::default()).await.unwrap().items;
    let seen: Vec<_> = runs.iter().map(|run| (run.id.0, run.outcome, run.handled)).collect();
    assert_eq!(seen, [(2, Some(RunOutcome::Done), 7), (1, None, 0)], "the first one's worker died");
    assert_eq!(db.job_list().await.unwrap()[0].last_run, Some(runs[0].clone()));
}

async fn whoever_owns_the_folder_ends_the_leases_of_the_dead(db: &Db) {
    db.jobs_declare(defaults(&["one"])).await.unwrap();
    let dead = db.job_claim(claim("dead", 1, 10)).await.unwrap().unwrap();
    assert!(db.job_claim(claim("next", 2, 20)).await.unwrap().is_none(), "held");
    db.leases_end().await.unwrap();
    let next = db.job_claim(claim("next", 2, 20)).await.unwrap().unwrap();
    assert!(next.fence.term > dead.fence.term);
    let late = db.job_finish(finish(&dead, RunOutcome::Done, 90)).await;
    assert_eq!(said(late), "lease_lost", "should it not be dead after all");
}

async fn a_paused_job_runs_only_by_hand_and_once(db: &Db) {
    db.jobs_declare(defaults(&["a"])).await.unwrap();
    db.job_edit(JobEdit { paused: Some(true), ..edit("a", 1) }).await.unwrap();
    assert_eq!(db.job_claim(claim("w", 1, 10)).await.unwrap(), None);
    db.job_edit(JobEdit { run_now: true, ..edit("a", 2) }).await.unwrap();
    let run = db.job_claim(claim("w", 2, 10)).await.unwrap().unwrap();
    db.job_finish(finish(&run, RunOutcome::Done, 0)).await.unwrap();
    assert_eq!(db.job_claim(claim("w", 3, 10)).await.unwrap(), None);
    assert!(db.job_list().await.unwrap()[0].paused);
}

async fn by_hand_comes_before_its_time_and_before_others(db: &Db) {
    db.jobs_declare(defaults(&["a", "b"])).await.unwrap();
    db.job_edit(JobEdit { next_due: Some(T0 + 60_000), run_now: true, ..edit("b", 1) }).await.unwrap();
    assert_eq!(db.job_claim(claim("w", 1, 5)).await.unwrap().unwrap().job, "b");
    assert_eq!(db.job_claim(claim("w", 2, 5)).await.unwrap().unwrap().job, "a");
}

/// A run every five seconds for two minutes; the seventh did something, and the ninth failed.
async fn of_idle_runs_a_few_are_kept_and_the_newest(db: &Db) {
    db.jobs_declare(defaults(&["a"])).await.unwrap();
    let kept = async || {
        let runs = db.job_runs("a".into(), PageRequest::first(100)).await.unwrap().items;
        runs.iter().rev().map(|run| run.id.0).collect::<Vec<_>>()
    };
    for run in 1..=25 {
        let at = run * 5_000;
        let claimed = db.job_claim(claim("w", run, at)).await.unwrap().unwrap();
        let (outcome, handled) = match run {
            7 => (RunOutcome::Done, 1),
            9 => (RunOutcome::Failed, 0),
            _ => (RunOutcome::Done, 0),
        };
        let ended = finish(&claimed, outcome, at);
        let ended = JobFinish { handled, finished: T0 + at, idle_kept_ms: 60_000, ..ended };
        db.job_finish(ended).await.unwrap();
        assert_eq!(kept().await.last(), Some(&run), "the newest is there");
    }
    // 6 and 8 came just before those that did something or failed; 20 is a minute after 9, which failed.
    assert_eq!(kept().await, [1, 6, 7, 8, 9, 20, 25]);
}

async fn runs_are_paged_newest_first(db: &Db) {
    db.jobs_declare(defaults(&["a"])).await.unwrap();
    for run in 1..=3 {
        let run = db.job_claim(claim("w", run, 10)).await.unwrap().unwrap();
        db.job_finish(finish(&run, RunOutcome::Done, 0)).await.unwrap();
    }
    let page = db.job_runs("a".into(), PageRequest::first(2)).await.unwrap();
    assert_eq!(page.items.iter().map(|run| run.id.0).collect::<Vec<_>>(), [3, 2]);
    let rest = PageRequest { limit: 2, after: page.next };
    assert_eq!(db.job_runs("a".into(), rest).await.unwrap().items.len(), 1);
    assert_eq!(db.job_runs("b".into(), PageRequest::first(2)).await.unwrap().items.len(), 0);
}
