//! What those who run an activity see of it: figures, tables, the export, grants and notices.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::campaign::{Players, generous, prizes};
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::client::Answer;
use crate::people::fresh_external;
use crate::process::{Home, shared};
use crate::sales::fixtures as sales;

fn with(mut form: Value, members: Value) -> Value {
    let Value::Object(members) = members else { unreachable!("an object") };
    form.as_object_mut().unwrap().extend(members);
    form
}

/// Two prizes that cost something, named so that a spreadsheet would like to carry them out.
fn costly() -> Value {
    with(
        generous(0, 50),
        json!({ "prizes": [
            { "name": "=tea", "odds": 600_000, "units": 3, "cost_minor": 250 },
            { "name": "cup, \"blue\"", "odds": 400_000, "units": 2, "cost_minor": 1000 },
        ], "budget": { "total_minor": 100_000 } }),
    )
}

#[tokio::test]
async fn the_report_and_the_table_agree_with_what_was_told() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(costly()).await;
    let (players, ann, bob) = (Players::new(server, &activity).await, fresh_external(), fresh_external());
    let mut told = Vec::new();
    for (player, id, draws) in [(&ann, "a", 1), (&bob, "b", 10), (&ann, "c", 1)] {
        told.push(players.draw(player, id, draws).expect(201).await.json());
    }
    let mut given: HashMap<String, u64> = HashMap::new();
    told.iter().flat_map(prizes).for_each(|name| *given.entry(name).or_default() += 1);
    assert_eq!((given["=tea"], given["cup, \"blue\""], given["-"]), (3, 2, 7), "all of it is given");

    let report = || crew.get(&format!("/activities/{activity}/report"));
    let report = settled(report, |answer| answer.json()["funnel"]["draws"] == json!(12)).await.json();
    assert_eq!((&report["funnel"]["players"], &report["funnel"]["wins"]), (&json!(2), &json!(5)));
    let cost = 3 * 250 + 2 * 1000;
    assert_eq!(
        (&report["cost"]["total_minor"], &report["cost"]["total_budget_minor"]),
        (&json!(cost), &json!(100_000))
    );
    for (at, name, total) in [(0, "=tea", 3), (1, "cup, \"blue\"", 2)] {
        let prize = &report["prizes"][at];
        assert_eq!((&prize["name"], &prize["total"]), (&json!(name), &json!(total)));
        assert_eq!((&prize["left"], &prize["given"]), (&json!(0), &json!(total)));
    }
    let hours = report["hours"].as_array().unwrap();
    let sum = |field: &str| hours.iter().map(|hour| hour[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("draws"), sum("cost_minor")), (12, cost));
    let misses = hours.iter().filter(|hour| hour.get("prize").is_none());
    assert_eq!(misses.map(|hour| hour["draws"].as_u64().unwrap()).sum::<u64>(), 7);
    assert_eq!(report["chain"], told[2]["receipt"]);
    let later = report["hours"][hours.len() - 1]["from_ms"].as_i64().unwrap() + 3_600_000;
    let none = crew.get(&format!("/activities/{activity}/report?from_ms={later}")).expect(200).await.json();
    assert_eq!(none["hours"], json!([]));

    let live = crew.get(&format!("/activities/{activity}/live")).expect(200).await;
    assert_eq!(live.header("content-type"), "text/event-stream");
    let text = live.text();
    let data = text.strip_prefix("event: figures\ndata: ").unwrap_or_else(|| panic!("{text}"));
    let live: Value = serde_json::from_str(data.trim()).unwrap();
    assert_eq!((&live["draws"], &live["cost_minor"]), (&json!(12), &json!(cost)));
    assert_eq!(live["left"], json!([{ "prize": 0, "left": 0 }, { "prize": 1, "left": 0 }]));

    let table = crew.get(&format!("/activities/{activity}/draws.csv")).expect(200).await;
    assert!(table.header("content-disposition").contains(&format!("draws-{activity}.csv")));
    let text = table.text();
    let mut lines = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let rows: Vec<HashMap<String, String>> = lines.deserialize().map(Result::unwrap).collect();
    let expected: Vec<(String, String, String, String)> = told
        .iter()
        .flat_map(|ticket| {
            let line = |draw: &Value| {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let name = text(&draw["prize"]["name"]);
                let name = if name.starts_with('=') { format!("'{name}") } else { name };
                (text(&ticket["ticket"]), draw["n"].to_string(), name, text(&draw["why"]))
            };
            ticket["draws"].as_array().unwrap().iter().map(line).collect::<Vec<_>>()
        })
        .collect();
    let cells = |row: &HashMap<String, String>| {
        let cell = |name: &str| row[name].clone();
        // Operators see which rule it was, players how it came out.
        let why = match cell("why").as_str() {
            "rolled" => "won",
            "no_prize" | "prize_gone" | "nothing_left" => "miss",
            other => panic!("{other}"),
        };
        (cell("ticket"), cell("n"), cell("prize_name"), why.to_owned())
    };
    assert_eq!(rows.iter().map(cells).collect::<Vec<_>>(), expected);
    let costs: u64 = rows.iter().map(|row| row["cost_minor"].parse::<u64>().unwrap()).sum();
    assert_eq!(costs, cost);
}

#[tokio::test]
async fn a_grant_is_given_once_per_rule_and_period() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(9, 1)).await;
    let person = server.person(&[]).await;
    let grant = |period: &str, chances: u32| {
        let body = json!({ "user": person.id, "rule": "support", "period": period, "chances": chances,
            "reason": "an apology" });
        server.by(&crew.author, "POST", &format!("/activities/{activity}/grants")).json(body)
    };
    let given = grant("ticket-7", 2).expect(201).await.json();
    assert_eq!((&given["left"], &given["granted"]), (&json!(3), &json!(2)));
    assert_eq!(grant("ticket-7", 2).expect(200).await.json()["granted"], json!(2), "the same again");
    grant("ticket-7", 3).refused(409, "conflict").await;
    assert_eq!(grant("ticket-8", 1).expect(201).await.json()["granted"], json!(3));
    let own = json!({ "user": crew.author.id, "rule": "support", "period": "mine", "chances": 9, "reason": "why not" });
    let path = format!("/activities/{activity}/grants");
    server.by(&crew.author, "POST", &path).json(own).refused(403, "own_account").await;
    let admin = server.person(&["admin"]).await;
    let log =
        server.by(&admin, "GET", &format!("/admin/audit?subject=activity:{activity}")).expect(200).await;
    let granted = log.items().into_iter().filter(|line| line["action"] == "activity.grant");
    assert_eq!(granted.count(), 2, "{}", log.text());
}

/// A notice per crossing: not per look, and again only after there was enough in between.
#[tokio::test]
async fn a_prize_that_is_nearly_gone_is_told_of_once() {
    let home = Home::with(&[]);
    let server = home.demo().await;
    let crew = Crew::new(&server).await;
    let activity = crew.publish(costly()).await;
    let (players, ann) = (Players::new(&server, &activity).await, fresh_external());
    let admin = server.person(&["admin"]).await;
    let prize = async || {
        crew.get(&format!("/activities/{activity}/report")).expect(200).await.json()["prizes"][0].clone()
    };
    let run = async || {
        let runs = async || {
            let path = "/admin/jobs/low_stock/runs";
            let items = server.by(&admin, "GET", path).expect(200).await.items();
            items.iter().filter(|run| run.get("outcome").is_some_and(|outcome| !outcome.is_null())).count()
        };
        let before = runs().await;
        server.by(&admin, "POST", "/admin/jobs/low_stock/run").expect(202).await;
        settled(
            || server.by(&admin, "GET", "/admin/jobs/low_stock/runs"),
            |answer| {
                let done = |run: &&Value| run.get("outcome").is_some_and(|outcome| !outcome.is_null());
                answer.items().iter().filter(done).count() > before
            },
        )
        .await;
    };
    let notices = async || {
        let path = format!("/admin/audit?subject=activity:{activity}");
        let log = server.by(&admin, "GET", &path).expect(200).await.items();
        let about =
            |line: &&Value| line["action"] == "activity.low_stock" && line["after"]["prize"] == json!(0);
        log.iter().filter(about).count()
    };
    run().await;
    assert_eq!((notices().await, prize().await.get("low_since_ms")), (0, None), "there is enough");
    players.draw(&ann, "all", 10).expect(201).await;
    run().await;
    run().await;
    assert_eq!(notices().await, 1, "told once");
    assert!(prize().await["low_since_ms"].is_i64());
    let restock = json!({ "id": "more", "delta": 30, "reason": "more" });
    let path = format!("/activities/{activity}/prizes/0/restock");
    server.by(&crew.author, "POST", &path).json(restock).expect(200).await;
    run().await;
    assert_eq!((notices().await, prize().await.get("low_since_ms")), (1, None));
    let restock = json!({ "id": "fewer", "delta": -30, "reason": "broken" });
    server.by(&crew.author, "POST", &path).json(restock).expect(200).await;
    run().await;
    assert_eq!(notices().await, 2, "told again");

    // What a sale sells is watched as well: nineteen of twenty are ordered.
    let sale = sales::sale(&server, json!({ "units": 20, "per_user": 0 })).await;
    let low =
        async || crew.get(&format!("/sales/{sale}/report")).expect(200).await.json()["low_since_ms"].clone();
    assert_eq!(low().await, Value::Null);
    sales::ordered(&server, &server.person(&[]).await, &sale, 19).await;
    run().await;
    assert!(low().await.is_i64());

    // Whoever looks at the odds is told when none is left, and never how many are.
    let odds = || server.api("GET", &format!("/play/activities/{activity}"));
    let is = |left: &'static str| move |answer: &Answer| answer.json()["prizes"][0]["left"] == left;
    for (id, delta, told) in [("few", 2, "some"), ("none", -2, "none")] {
        let kept = prize().await["left"].as_i64().unwrap();
        let delta = if delta < 0 { -kept } else { delta };
        let restock = json!({ "id": id, "delta": delta, "reason": "looked at" });
        server.by(&crew.author, "POST", &path).json(restock).expect(200).await;
        settled(odds, is(told)).await;
    }
}
