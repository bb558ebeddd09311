//! One story per rule. Odds are certainties wherever they can be, so that what comes out shows the rule and not the luck.

use domain::lottery::record::Record;
use serde_json::{Value, json};

use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::draws::campaign::{Players, prizes};
use crate::people::{Person, fresh_external};
use crate::process::{Home, Server};
use crate::shop::fixtures::{buy, offer, refund, rich};
use crate::verify::{has_python, python};

pub struct Stage<'s> {
    pub home: &'s Home,
    pub server: &'s Server,
    pub crew: Crew<'s>,
}

/// Stories by name, in the order in which they are told.
macro_rules! stories {
    ($($name:ident),+ $(,)?) => {
        pub const NAMES: &[&str] = &[$(stringify!($name)),+];

        pub async fn tell_all(stage: &Stage<'_>) {
            $($name(stage).await;)+
        }
    };
}

stories! {
    odds_are_parts_of_the_whole,
    prizes_and_misses_have_their_slots,
    units_run_out_and_unlimited_does_not,
    ten_at_once,
    chances_in_all_by_month_and_by_day,
    entries_of_everybody_together,
    a_tree_says_who_may_take_part,
    a_routing_tree_picks_the_activity,
    what_is_gone_keeps_its_slice_or_leaves,
    the_block_list_gets_the_consolation,
    tiers_by_draws,
    tiers_by_points_spent,
    unlock_in_all_and_today,
    a_cap_of_wins_per_player,
    the_fallback_has_a_range_and_a_budget,
    pity_after_misses,
    budgets_in_all_and_by_day,
    units_are_released_over_time,
    a_cap_per_hour,
    withdrawn_by_an_operator,
    withdrawn_for_users_with_a_risk_label,
}

impl Stage<'_> {
    /// Published and running: tea for certain, unless the change says otherwise.
    async fn play(&self, change: Value) -> Players {
        Players::new(self.server, &self.crew.publish(wheel(change)).await).await
    }

    /// After the last draw: both verifiers replay everything. Answers the records.
    async fn verify(&self, activity: &str) -> Vec<Record> {
        self.crew.step(activity, "close").expect(200).await;
        let export = || self.server.api("GET", &format!("/activities/{activity}/export"));
        let text =
            settled(export, |answer| answer.text().lines().any(|line| line.starts_with("end "))).await.text();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let path = file.path().to_str().unwrap().to_owned();
        self.home.run(&["verify", "--file", &path]).ok();
        if has_python() {
            let (agrees, told) = python(file.path());
            assert!(agrees, "the verifier in Python: {told}");
        }
        let records = text.lines().filter_map(|line| line.strip_prefix("record "));
        let bytes = |line: &str| domain::hex::unhex_all(line.split(' ').nth(2).unwrap()).unwrap();
        records.map(|line| Record::decode(&bytes(line)).unwrap()).collect()
    }

    async fn fact(&self, who: &str, facts: Value) {
        let path = format!("/external-users/{who}/facts?create_user=true");
        self.server.console("PATCH", &path).json(facts).expect(200).await;
    }

    async fn tree(&self, purpose: &str, yes: Value, no: Value) -> String {
        let (mut yes, mut no) = (yes, no);
        (yes["id"], no["id"]) = (json!(2), json!(3));
        let ask = json!({ "id": 1, "fact": "vip", "type": "flag",
            "edges": [{ "when": "=", "value": true, "to": 2 }], "otherwise": 3 });
        let tree = json!({ "name": "VIPs", "purpose": purpose, "root": 1, "nodes": [ask, yes, no] });
        self.server.console("POST", "/trees").json(tree).expect(201).await.member("id")
    }
}

const ALL: u64 = 1_000_000;

fn wheel(change: Value) -> Value {
    let mut form = json!({
        "name": format!("rules {}", fresh_external()),
        "from": now_ms() - HOUR_MS,
        "until": now_ms() + 48 * HOUR_MS,
        "chances": { "total": 20 },
        "prizes": [{ "name": "tea", "odds": ALL, "unlimited": true }],
    });
    let Value::Object(change) = change else { unreachable!("an object") };
    form.as_object_mut().unwrap().extend(change);
    form
}

/// So many draws of somebody, one by one: the prize of each, a dash for a miss.
async fn draws(players: &Players, who: &str, count: usize) -> Vec<String> {
    let mut drawn = Vec::new();
    for _ in 0..count {
        drawn.extend(prizes(&players.draw(who, &fresh_external(), 1).expect(201).await.json()));
    }
    drawn
}

/// The same by somebody with a session.
async fn draw_as(stage: &Stage<'_>, who: &Person, activity: &str) -> Vec<String> {
    let path = format!("/play/activities/{activity}/draws");
    let call = stage.server.by(who, "POST", &path).json(json!({ "id": fresh_external() }));
    prizes(&call.expect(201).await.json())
}

async fn odds_are_parts_of_the_whole(stage: &Stage<'_>) {
    let certain = json!({ "whole": 3, "prizes": [
        { "name": "tea", "odds": 2, "unlimited": true }, { "name": "cup", "odds": 1, "unlimited": true },
    ] });
    let drawn = draws(&stage.play(certain).await, &fresh_external(), 5).await;
    assert!(drawn.iter().all(|prize| prize == "tea" || prize == "cup"), "nothing is left over: {drawn:?}");
    let beyond = wheel(json!({ "whole": 3, "prizes": [{ "name": "tea", "odds": 4, "unlimited": true }] }));
    let id = stage.crew.write(beyond).await;
    stage.crew.step(&id, "submit").refused(422, "flawed").await;
}

async fn prizes_and_misses_have_their_slots(stage: &Stage<'_>) {
    let form = json!({ "miss_slot": 3, "prizes": [
        { "id": 9, "name": "tea", "slot": 7, "odds": ALL, "units": 1 },
    ] });
    let players = stage.play(form).await;
    let who = fresh_external();
    let mut slots = Vec::new();
    for _ in 0..2 {
        let told = players.draw(&who, &fresh_external(), 1).expect(201).await.json();
        slots.push((told["draws"][0]["prize"]["id"].clone(), told["draws"][0]["slot"].clone()));
    }
    assert_eq!(slots, [(json!(9), json!(7)), (Value::Null, json!(3))]);
}

async fn units_run_out_and_unlimited_does_not(stage: &Stage<'_>) {
    let two = stage.play(json!({ "prizes": [{ "name": "tea", "odds": ALL, "units": 2 }] })).await;
    assert_eq!(draws(&two, &fresh_external(), 3).await, ["tea", "tea", "-"]);
    let endless = stage.play(json!({})).await;
    assert_eq!(draws(&endless, &fresh_external(), 4).await, ["tea"; 4]);
}

async fn ten_at_once(stage: &Stage<'_>) {
    let (ten, one) = (stage.play(json!({ "ten": true })).await, stage.play(json!({})).await);
    let told = ten.draw(&fresh_external(), "ten", 10).expect(201).await.json();
    assert_eq!(prizes(&told), ["tea"; 10]);
    one.draw(&fresh_external(), "ten", 10).refused(400, "invalid_field").await;
}

async fn chances_in_all_by_month_and_by_day(stage: &Stage<'_>) {
    for (chances, code) in [
        (json!({ "total": 2 }), "chances_spent"),
        (json!({ "total": 9, "month": 2 }), "chances_spent_month"),
        (json!({ "total": 9, "day": 2 }), "chances_spent_day"),
    ] {
        let (players, who) = (stage.play(json!({ "chances": chances })).await, fresh_external());
        draws(&players, &who, 2).await;
        players.draw(&who, "third", 1).refused(409, code).await;
    }
}

async fn entries_of_everybody_together(stage: &Stage<'_>) {
    let players = stage.play(json!({ "entries": 1 })).await;
    draws(&players, &fresh_external(), 1).await;
    players.draw(&fresh_external(), "late", 1).refused(409, "entries_gone").await;
}

async fn a_tree_says_who_may_take_part(stage: &Stage<'_>) {
    let tree = stage.tree("admission", json!({ "leaf": "allow" }), json!({ "leaf": "deny" })).await;
    let players = stage.play(json!({ "tree": tree })).await;
    let who = fresh_external();
    players.draw(&who, "one", 1).refused(403, "not_eligible").await;
    stage.fact(&who, json!({ "vip": true })).await;
    let told = players.draw(&who, "one", 1).expect(201).await.json();
    // Whoever asks again hears of what was drawn, also when they would not be let in any more.
    stage.fact(&who, json!({ "vip": null })).await;
    let again = players.draw(&who, "one", 1).expect(200).await.json();
    assert_eq!((&again["ticket"], &again["draws"]), (&told["ticket"], &told["draws"]));
    players.draw(&who, "two", 1).refused(403, "not_eligible").await;
    let records = stage.verify(&players.activity).await;
    assert_eq!(records[0].rule_path.as_bytes(), [1, 0], "the first edge of the first question");
}

async fn a_routing_tree_picks_the_activity(stage: &Stage<'_>) {
    let (gold, tin) = (stage.play(json!({})).await, stage.play(json!({})).await);
    let leaf = |players: &Players| json!({ "leaf": "activity", "activity": players.activity });
    let tree = stage.tree("routing", leaf(&gold), leaf(&tin)).await;
    let key = stage.server.new_key(&["play"]).await;
    for (facts, expected) in [(json!({ "vip": true }), &gold), (json!({ "vip": false }), &tin)] {
        let who = fresh_external();
        stage.fact(&who, facts).await;
        let call = stage.server.api("POST", &format!("/play/trees/{tree}/draws")).key(&key.secret);
        let told = call.header("windfall-user", &who).json(json!({ "id": "one" })).expect(201).await.json();
        assert_eq!(told["activity"], json!(expected.activity));
    }
}

/// The cup takes all of the wheel but one part; withdrawn, it leaves a miss or all of the wheel to the tea.
async fn what_is_gone_keeps_its_slice_or_leaves(stage: &Stage<'_>) {
    let whole = 1_000_000_000_000_u64;
    for (mode, expected) in [("fixed", "-"), ("renormalised", "tea")] {
        let form = json!({ "mode": mode, "whole": whole, "prizes": [
            { "name": "cup", "odds": whole - 1, "unlimited": true }, { "name": "tea", "odds": 1, "unlimited": true },
        ] });
        let players = stage.play(form).await;
        assert_eq!(draws(&players, &fresh_external(), 1).await, ["cup"], "{mode}");
        switch(stage, &players, "withdraw").await;
        assert_eq!(draws(&players, &fresh_external(), 1).await, [expected], "{mode}");
        stage.verify(&players.activity).await;
    }
}

async fn switch(stage: &Stage<'_>, players: &Players, step: &str) {
    let path = format!("/activities/{}/prizes/0/{step}", players.activity);
    let body = json!({ "id": fresh_external(), "reason": "a recall" });
    stage.server.console("POST", &path).json(body).expect(200).await;
}

async fn the_block_list_gets_the_consolation(stage: &Stage<'_>) {
    let form = json!({ "consolation": 1, "prizes": [
        { "name": "tea", "odds": ALL, "unlimited": true }, { "name": "card", "unlimited": true },
    ] });
    let players = stage.play(form).await;
    let who = fresh_external();
    assert_eq!(draws(&players, &who, 1).await, ["tea"]);
    let path = format!("/activities/{}/block-list", players.activity);
    let body = json!({ "external_ids": [who], "reason": "scripted" });
    stage.server.console("POST", &path).json(body).expect(200).await;
    assert_eq!(draws(&players, &who, 1).await, ["card"]);
    let records = stage.verify(&players.activity).await;
    assert_eq!(records.iter().map(|record| record.blocked).collect::<Vec<_>>(), [false, true]);
}

/// Tea below the step, the cup from it on.
fn tiered(by: &str, from: u64) -> Value {
    json!({
        "prizes": [{ "name": "tea", "odds": ALL, "unlimited": true }, { "name": "cup", "unlimited": true }],
        "tiers": { "by": by, "steps": [{ "from": from, "odds": [{ "prize": 1, "odds": ALL }] }] },
    })
}

async fn tiers_by_draws(stage: &Stage<'_>) {
    let players = stage.play(tiered("draws", 2)).await;
    assert_eq!(draws(&players, &fresh_external(), 3).await, ["tea", "tea", "cup"]);
    stage.verify(&players.activity).await;
}

/// What was bought in the shop counts, at the moment of the draw; what was refunded does not any more, and neither do
/// points that staff took away. The record has the number, and both verifiers find the table by it.
async fn tiers_by_points_spent(stage: &Stage<'_>) {
    let activity = stage.crew.publish(wheel(tiered("points_spent", 20))).await;
    let (who, shop) = (rich(stage.server, 100).await, offer(stage.server, json!({})).await);
    let mut drawn = draw_as(stage, &who, &activity).await;
    buy(stage.server, &who, &shop, 1).expect(201).await;
    let away = json!({ "points": -50, "reason": "a mistake" });
    stage.server.console("POST", &format!("/admin/users/{}/points", who.id)).json(away).expect(200).await;
    drawn.extend(draw_as(stage, &who, &activity).await);
    let order = buy(stage.server, &who, &shop, 1).expect(201).await.member("id");
    drawn.extend(draw_as(stage, &who, &activity).await);
    let done = || stage.server.by(&who, "GET", "/me/shop-orders");
    settled(done, |answer| answer.items().iter().all(|order| order["state"] == "done")).await;
    refund(stage.server, &order).await;
    drawn.extend(draw_as(stage, &who, &activity).await);
    assert_eq!(drawn, ["tea", "tea", "cup", "tea"]);
    let records = stage.verify(&activity).await;
    assert_eq!(records.iter().map(|record| record.points_spent).collect::<Vec<_>>(), [0, 10, 20, 10]);
}

async fn unlock_in_all_and_today(stage: &Stage<'_>) {
    for (scope, current_counts, expected) in [
        ("in_all", true, ["-", "tea", "tea"]),
        ("in_all", false, ["-", "-", "tea"]),
        ("today", true, ["-", "tea", "tea"]),
    ] {
        let unlock = json!({ "draws": 2, "scope": scope, "current_counts": current_counts });
        let form = json!({ "prizes": [{ "name": "tea", "odds": ALL, "unlimited": true, "unlock": unlock }] });
        let players = stage.play(form).await;
        let drawn = draws(&players, &fresh_external(), 3).await;
        assert_eq!(drawn, expected, "{scope} {current_counts}");
    }
}

async fn a_cap_of_wins_per_player(stage: &Stage<'_>) {
    let form = json!({ "prizes": [{ "name": "tea", "odds": ALL, "unlimited": true, "win_cap": 1 }] });
    let players = stage.play(form).await;
    assert_eq!(draws(&players, &fresh_external(), 2).await, ["tea", "-"]);
    assert_eq!(draws(&players, &fresh_external(), 1).await, ["tea"], "the cap is each player's own");
    stage.verify(&players.activity).await;
}

/// Three to five points while what is left of eight covers five.
async fn the_fallback_has_a_range_and_a_budget(stage: &Stage<'_>) {
    let form = json!({
        "prizes": [{ "name": "tea", "odds": ALL, "units": 1 }, { "name": "points", "unlimited": true, "kind": "points", "amount": 1 }],
        "fallback": { "prize": 1, "amount_min": 3, "amount_max": 5, "budget_amount": 8 },
    });
    let players = stage.play(form).await;
    let who = fresh_external();
    assert_eq!(draws(&players, &who, 1).await, ["tea"]);
    let (mut given, mut spent) = (Vec::new(), 0);
    for _ in 0..3 {
        let told = players.draw(&who, &fresh_external(), 1).expect(201).await.json();
        let points = told["draws"][0]["prize"]["amount"].as_u64().unwrap_or(0);
        let expected = if 8 - spent >= 5 { "points" } else { "-" };
        assert_eq!(prizes(&told), [expected]);
        assert!(points == 0 || (3..=5).contains(&points), "{points}");
        spent += points;
        given.push(points);
    }
    assert!(spent <= 8 && given[0] > 0 && given[2] == 0, "{given:?}");
    stage.verify(&players.activity).await;
}

/// The cup is one part in a million million: what comes is a miss, a miss, and then what is certain.
async fn pity_after_misses(stage: &Stage<'_>) {
    let form = json!({
        "whole": 1_000_000_000_000_u64,
        "prizes": [{ "name": "cup", "odds": 1, "unlimited": true }, { "name": "tea", "unlimited": true }],
        "pity": { "prize": 1, "misses": 2 },
    });
    let players = stage.play(form).await;
    assert_eq!(draws(&players, &fresh_external(), 4).await, ["-", "-", "tea", "-"]);
    stage.verify(&players.activity).await;
}

async fn budgets_in_all_and_by_day(stage: &Stage<'_>) {
    for budget in [json!({ "total_minor": 100 }), json!({ "day_minor": 100 })] {
        let form = json!({ "budget": budget, "prizes": [
            { "name": "tea", "odds": ALL, "unlimited": true, "cost_minor": 60 },
        ] });
        let players = stage.play(form).await;
        assert_eq!(draws(&players, &fresh_external(), 2).await, ["tea", "-"], "{budget}");
        stage.verify(&players.activity).await;
    }
}

async fn units_are_released_over_time(stage: &Stage<'_>) {
    let release =
        json!([{ "at": now_ms() - HOUR_MS, "units": 1 }, { "at": now_ms() + 24 * HOUR_MS, "units": 2 }]);
    let form = json!({ "prizes": [{ "name": "tea", "odds": ALL, "units": 2, "release": release }] });
    let players = stage.play(form).await;
    assert_eq!(draws(&players, &fresh_external(), 2).await, ["tea", "-"]);
    stage.verify(&players.activity).await;
}

async fn a_cap_per_hour(stage: &Stage<'_>) {
    let form = json!({ "prizes": [{ "name": "tea", "odds": ALL, "unlimited": true, "hourly_cap": 1 }] });
    let players = stage.play(form).await;
    assert_eq!(draws(&players, &fresh_external(), 2).await, ["tea", "-"]);
    stage.verify(&players.activity).await;
}

async fn withdrawn_by_an_operator(stage: &Stage<'_>) {
    let players = stage.play(json!({})).await;
    let who = fresh_external();
    let mut drawn = draws(&players, &who, 1).await;
    for step in ["withdraw", "restore"] {
        switch(stage, &players, step).await;
        drawn.extend(draws(&players, &who, 1).await);
    }
    assert_eq!(drawn, ["tea", "-", "tea"]);
    stage.verify(&players.activity).await;
}

/// Labels are facts: set by a key with `facts` and by the console, and in force from the next draw on. What was withdrawn
/// is on the record with its reason, and both verifiers find the rule in the published strategy.
async fn withdrawn_for_users_with_a_risk_label(stage: &Stage<'_>) {
    let form = json!({ "prizes": [
        { "name": "tea", "odds": ALL, "unlimited": true, "withdrawn_for": ["bot", "chargeback"] },
    ] });
    let players = stage.play(form).await;
    let (who, other) = (fresh_external(), fresh_external());
    let key = stage.server.new_key(&["facts"]).await;
    let path = format!("/external-users/{who}/facts");
    let by_key = |labels: Value| {
        let call = stage.server.api("PATCH", &path).key(&key.secret);
        call.json(json!({ "risk_labels": labels }))
    };
    let mut drawn = draws(&players, &who, 1).await;
    by_key(json!(["new", "bot"])).expect(200).await;
    drawn.extend(draws(&players, &who, 1).await);
    by_key(json!(["new"])).expect(200).await;
    drawn.extend(draws(&players, &who, 1).await);
    stage.fact(&who, json!({ "risk_labels": ["chargeback"] })).await;
    drawn.extend(draws(&players, &who, 1).await);
    by_key(Value::Null).expect(200).await;
    drawn.extend(draws(&players, &who, 1).await);
    assert_eq!(drawn, ["tea", "-", "tea", "-", "tea"]);
    stage.fact(&other, json!({ "risk_labels": ["new"] })).await;
    assert_eq!(draws(&players, &other, 1).await, ["tea"]);
    // A label that is no list of labels would never withdraw anything.
    by_key(json!("bot")).refused(400, "invalid_field").await;
    by_key(json!(true)).refused(400, "invalid_field").await;
    let records = stage.verify(&players.activity).await;
    let reasons: Vec<usize> = records.iter().map(|record| record.draws[0].news.len()).collect();
    assert_eq!(reasons, [0, 1, 0, 1, 0, 0]);
}
