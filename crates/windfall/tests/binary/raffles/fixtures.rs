//! Raffles on a stage whose clock the test sets, and one on a server.

use std::sync::Arc;

use domain::activity::*;
use domain::ids::{ActivityId, UserId};
use domain::lottery::strategy::{PrizeId, Strategy};
use domain::raffle::{Beacon, Roll, Winner, draw};
use engine::Failure;
use engine::activities as flow;
use engine::draws::enter::enter;
use engine::draws::raffle;
use engine::draws::raffle::{RaffleState, RaffleView};
use engine::ports::*;
use serde_json::{Value, json};
use store::model::*;
use tokio::sync::OnceCell;

use crate::activities::fixtures::Crew;
use crate::activities::world::{ANN, BOB, Stage, T0};
use crate::backend::settled;
use crate::draws::campaign;
use crate::process::{LIMIT, Server};

pub const FROM_MS: i64 = 10_000;
pub const UNTIL_MS: i64 = 20_000;
pub const DRAW_MS: i64 = 30_000;
pub const BEACON: &str = "dice on stage";
pub const VALUE: &str = "6 2 5";

pub fn content(beacon: Option<&str>, units: &[u32]) -> Content {
    let draft = ActivityDraft {
        name: "Raffle".to_owned(),
        description: String::new(),
        from: T0 + FROM_MS,
        until: T0 + UNTIL_MS,
        zone: "UTC".to_owned(),
        kind: KindSettings::Raffle { draw_at: T0 + DRAW_MS, beacon: beacon.map(str::to_owned) },
        entries: None,
        chances: Chances { total: 50, month: None, day: None },
        presentation: Presentation::default(),
        tree: None,
    };
    let prize = |(id, units): (u16, &u32)| RafflePrize {
        id: PrizeId::new(id).unwrap(),
        name: format!("prize {id}"),
        units: *units,
    };
    let prizes = (7..).zip(units).map(prize).collect();
    Content { configuration: draft.check().unwrap(), plan: Plan::Raffle(prizes), cards: Vec::new() }
}

fn plainly(_: &Strategy, field: &str) -> String {
    field.to_owned()
}

async fn submit_and_approve(stage: &Stage, id: ActivityId) {
    flow::activity_submit(&stage.world, stage.signed(ANN), None, id, plainly).await.unwrap();
    let verdict = flow::ReviewTarget { id, seen: None };
    flow::activity_approve(&stage.world, stage.signed(BOB), None, verdict).await.unwrap();
}

/// Published and open for entries.
pub async fn open(stage: &Stage, content: Content) -> ActivityId {
    stage.set(0);
    let id = flow::activity_create(&stage.world, stage.signed(ANN), None, content).await.unwrap();
    submit_and_approve(stage, id).await;
    stage.set(FROM_MS);
    id
}

/// A newer version, put in place.
pub async fn renew(stage: &Stage, id: ActivityId, content: Content) {
    flow::activity_edit(&stage.world, stage.signed(ANN), None, id, 0, content).await.unwrap();
    submit_and_approve(stage, id).await;
}

/// So many users, from 101 on; each enters once more than the one before, up to three times.
pub async fn enter_many(stage: &Stage, id: ActivityId, users: u32) {
    for nth in 0..users {
        let user = UserId(101 + i64::from(nth));
        enter(&stage.world, id, user, "mine", 1 + nth % 3).await.unwrap();
    }
}

/// Runs the jobs until a round is so far.
pub async fn reach(stage: &Stage, id: ActivityId, round: u32, state: RaffleState) -> RaffleView {
    let started = std::time::Instant::now();
    loop {
        stage.run_jobs().await;
        stage.run_job("raffles").await;
        let shown = raffle::raffle(&stage.world, id, Some(round)).await.unwrap();
        if shown.state == state {
            return shown;
        }
        assert!(started.elapsed() < LIMIT, "it is {:?} and not {state:?}", shown.state);
        tokio::task::yield_now().await;
    }
}

/// From open to drawn, with the value of the beacon if one is named.
pub async fn drawn(stage: &Stage, id: ActivityId, beacon: Option<&str>) -> RaffleView {
    stage.set(UNTIL_MS);
    let state = if beacon.is_some() { RaffleState::WaitingForBeacon } else { RaffleState::RollPublished };
    reach(stage, id, 1, state).await;
    if let Some(value) = beacon {
        tell(stage, id, value).await.unwrap();
    }
    stage.set(DRAW_MS);
    reach(stage, id, 1, RaffleState::Drawn).await
}

pub async fn tell(stage: &Stage, id: ActivityId, value: &str) -> Result<RaffleView, Failure> {
    raffle::beacon_set(&stage.world, stage.signed(ANN), id, None, value.to_owned()).await
}

pub async fn roll(stage: &Stage, id: ActivityId, round: u32) -> Roll {
    let mut bytes = Vec::new();
    for piece in 0.. {
        match stage.db.roll_piece((id, round), piece).await.unwrap() {
            Some(piece) => bytes.extend(piece),
            None => break,
        }
    }
    Roll::decode(&bytes).unwrap()
}

/// Who it will be, by whoever holds the secret.
pub async fn foreseen(stage: &Stage, id: ActivityId, value: Option<&str>) -> Vec<Winner> {
    let row = stage.db.raffle_find((id, 1)).await.unwrap().unwrap();
    let secret = stage.world.outside.vault.open(SealContext::Secret, &row.sealed_secret).unwrap();
    let beacon = value.map(|value| Beacon::of(value.as_bytes()));
    draw(&secret.try_into().unwrap(), &roll(stage, id, 1).await, beacon.as_ref()).unwrap()
}

pub async fn winner_rows(stage: &Stage, id: ActivityId) -> Vec<WinnerRow> {
    stage.db.raffle_winners((id, 1), 0, 10_000).await.unwrap()
}

pub async fn winners(stage: &Stage, id: ActivityId) -> Vec<Winner> {
    winner_rows(stage, id).await.into_iter().map(|row| row.winner).collect()
}

/// What `windfall verify` reads of an activity. Nothing happens on the stage after this.
pub async fn export(stage: Stage, id: ActivityId) -> String {
    let mut export = flow::ActivityExport::open(&Arc::new(stage.world), id).await.unwrap();
    let mut text = String::new();
    while let Some(piece) = export.piece().await.unwrap() {
        text.push_str(&piece);
    }
    text
}

/// The job's turn, taken by hand.
pub async fn claim(stage: &Stage) -> JobRun {
    let edit = JobEdit {
        name: "raffles".to_owned(),
        schedule: None,
        parameters: None,
        paused: None,
        next_due: None,
        run_now: true,
        signed: stage.world.audit_stamp(Actor::Console, "", "test"),
    };
    stage.db.job_edit(edit).await.unwrap();
    loop {
        let run = domain::ids::RunId(stage.world.next_id());
        let claim = JobClaim { holder: "hand".to_owned(), now: stage.world.now(), lease_ms: 1_000_000, run };
        let run = stage.db.job_claim(claim).await.unwrap().unwrap();
        if run.job == "raffles" {
            return run;
        }
        finish(stage, run).await;
    }
}

pub async fn finish(stage: &Stage, run: JobRun) {
    let finish = JobFinish {
        fence: run.fence,
        run: run.run,
        outcome: domain::job::RunOutcome::Done,
        handled: 0,
        detail: String::new(),
        next_due: stage.world.now() + 5_000,
        cursor: String::new(),
        finished: stage.world.now(),
        idle_kept_ms: 0,
    };
    stage.db.job_finish(finish).await.unwrap();
}

/// A raffle with a beacon that takes entries for another hour.
pub fn with_beacon() -> Value {
    let mut form = campaign::raffle();
    form["beacon"] = json!(BEACON);
    form
}

/// One on the shared server that is closed and has a roll: nobody entered, nobody drew.
pub async fn closed(server: &Server) -> String {
    static CLOSED: OnceCell<String> = OnceCell::const_new();
    CLOSED
        .get_or_init(|| async {
            let crew = Crew::new(server).await;
            let id = crew.publish(with_beacon()).await;
            crew.step(&id, "close").expect(200).await;
            state(server, &id, "waiting_for_beacon").await;
            id
        })
        .await
        .clone()
}

/// What is told of a raffle once it is so far.
pub async fn state(server: &Server, id: &str, state: &str) -> Value {
    let path = format!("/play/activities/{id}/raffle");
    settled(|| server.api("GET", &path), |answer| answer.json()["state"] == state).await.json()
}
