//! `windfall reconcile` and its routes on the running program: differences planted in its database are found, told,
//! counted and corrected, and sales go on meanwhile.

use std::sync::Arc;
use std::time::Instant;

use domain::ledger::Limits;
use embedded::SystemClock;
use embedded::journal::SqliteLog;
use engine::ports::Stock;
use ledger::{RunningLedger, WriterSettings};
use serde_json::{Value, json};
use store::{Db, SqliteSettings};

use crate::activities::fixtures::{Crew, now_ms};
use crate::auditor::fixtures::{HOUR_MS, open, reserve};
use crate::backend::Backend;
use crate::draws::campaign::{Players, generous, raffle};
use crate::people::fresh_external;
use crate::process::{Home, LIMIT, Ran, Server};
use crate::sales::fixtures as sales;

/// A data folder whose ledger has two pools and an open hold.
async fn shop(settings: &[(&str, &str)]) -> Home {
    let home = Home::with(settings);
    home.run(&["migrate"]).ok();
    let db = Db::open_sqlite(&SqliteSettings::at(home.data().join("windfall.db")).unhurried()).unwrap();
    let writer = WriterSettings {
        queue_max: 1_000,
        journal_pages_max: 1 << 20,
        lag_max: 1 << 20,
        clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
    };
    let (store, clock) = (db.clone(), Arc::new(SystemClock::default()));
    let journal = home.data().join("journal.db");
    let stock =
        RunningLedger::start(Arc::new(SqliteLog::at(&journal)), writer, Limits::default(), clock, store)
            .await
            .unwrap();
    let commands = vec![open(1, 1, 100), open(2, 1, 5), reserve("a", Some("ann"), &[(1, 2)], HOUR_MS)];
    assert_eq!(stock.ask(0, commands).await.unwrap().len(), 3);
    stock.close().await;
    db.close().await;
    home
}

fn plant(home: &Home) {
    let sql = "UPDATE pool_rounds SET available = available - 1, held = held + 1 WHERE pool_id = 1;
               UPDATE holds SET due = due + 1 WHERE id = 'a'";
    home.database().execute_batch(sql).unwrap();
}

#[track_caller]
fn ended(ran: &Ran, code: i32) -> String {
    assert_eq!(ran.0.status.code(), Some(code), "{}\n{}", ran.out(), ran.err());
    ran.out()
}

#[tokio::test]
async fn differences_are_listed_and_corrected_on_a_running_server() {
    let home = &shop(&[("WINDFALL__LEDGER__AUDIT_SLICE_MS", "0")]).await;
    let server = home.start("serve").await;
    let clean = ended(&home.run(&["reconcile"]), 0);
    assert!(clean.contains("0 differ"), "{clean}");
    plant(home);
    let table = ended(&home.run(&["reconcile"]), 1);
    for words in ["available", "pool 1 round 1", "97", "98", "hold_due", "5 differ, 0 corrected"] {
        assert!(table.contains(words), "no {words:?} in {table}");
    }
    let out = ended(&home.run(&["reconcile", "--json"]), 1);
    let pass: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&pass["found"], &pass["corrected"]), (&json!(5), &json!(0)));
    let first = &pass["differences"][0];
    let told = [&first["what"], &first["pool_id"], &first["round"], &first["ledger"], &first["database"]];
    assert_eq!(told, [&json!("available"), &json!("1"), &json!(1), &json!("98"), &json!("97")]);

    ended(&home.run(&["reconcile", "--fix"]), 2);
    let fixed = ended(&home.run(&["reconcile", "--fix", "--reason", "rows were edited by hand"]), 0);
    assert!(fixed.contains("3 differ, 3 corrected"), "{fixed}");
    assert!(ended(&home.run(&["reconcile"]), 0).contains("0 differ"));

    server.page("GET", "/readyz").expect(200).await;
    let log = server.console("GET", "/admin/audit?action=ledger.correct").expect(200).await.items();
    assert_eq!(log.len(), 2, "one line per correction: the round, the hold");
    assert_eq!(log[0]["reason"], json!("rows were edited by hand"));
    assert_eq!(log[1]["before"]["rows"][0]["value"], json!("97"));
    let ledger = server.console("GET", "/admin/ledger").expect(200).await.json();
    assert_eq!((&ledger["differences"], &ledger["lag"]), (&json!(0), &json!(0)));
    assert_eq!(ledger["asked_audit"]["number"], json!(5));
    assert!(ledger["last_audit"]["checked"]["rounds"].as_u64().is_some_and(|rounds| rounds >= 2));
}

/// Tickets, chances and wins that one side has and the other has not: each is named, and corrected when that is asked for.
#[tokio::test]
async fn what_is_planted_in_activities_is_found_and_corrected() {
    let home = Home::with(&[]);
    let server = home.start("serve").await;
    let crew = Crew::new(&server).await;
    let mut form = generous(3, 20);
    form["prizes"][0]["cost_minor"] = json!(250);
    let activity = crew.publish(form).await;
    let players = Players::new(&server, &activity).await;
    for player in 0..3 {
        players.draw(&fresh_external(), &player.to_string(), 10).expect(201).await;
    }
    let raffle = crew.publish(raffle()).await;
    let entered = players.of(&raffle).post("ann", "/entries", json!({ "id": "mine", "entries": 3 }));
    entered.expect(201).await;
    let clean = ended(&home.run(&["reconcile"]), 0);
    assert!(clean.contains("0 differ"), "{clean}");
    let before = rows(&home, &activity);
    for (plant, expected) in [
        ("UPDATE play_rounds SET chain_place = 2", "chain_place"),
        ("UPDATE play_rounds SET spent_total = spent_total + 1", "spent_minor"),
        ("UPDATE play_rounds SET draws = draws + 1", "draws"),
        ("UPDATE play_rounds SET wins = wins + 1", "wins"),
        ("UPDATE play_prizes SET given = given + 1", "given"),
        ("UPDATE players SET used = used + 1", "chances_used"),
        ("UPDATE players SET bonus = bonus + 1", "chances_granted"),
        ("DELETE FROM players", "player_draws"),
        ("UPDATE tickets SET draws = draws - 1", "ticket_rows"),
        ("UPDATE wins SET activity_id = -activity_id", "win_rows"),
        ("DELETE FROM wins WHERE id IN (SELECT MIN(id) FROM wins GROUP BY prize_id) AND", "win_rows"),
        // None of its prize is left to take the cost from: the version says what it is.
        ("DELETE FROM wins", "win_rows"),
    ] {
        let of = |sql: &str| match sql {
            // One player's row of the activity that was drawn from, and all rows of the other tables.
            sql if sql.contains("wins SET activity_id") => sql.to_owned(),
            sql if sql.ends_with("AND") => format!("{sql} activity_id = {activity}"),
            sql => format!("{sql} WHERE activity_id = {activity}"),
        };
        home.database().execute_batch(&of(plant)).unwrap();
        let out = ended(&home.run(&["reconcile", "--json"]), 1);
        let pass: Value = serde_json::from_str(&out).unwrap();
        let found = pass["differences"].as_array().unwrap();
        assert!(found.iter().any(|found| found["what"] == expected), "{plant}: {out}");
        assert!(found.iter().all(|found| found["activity"] == activity), "{plant}: {out}");
        // Corrected, and not as the test would undo it: by what the ledger and the records of the tickets say.
        let fixed = ended(&home.run(&["reconcile", "--fix", "--reason", "planted", "--json"]), 0);
        let pass: Value = serde_json::from_str(&fixed).unwrap();
        assert_eq!(pass["found"], pass["corrected"], "{plant}: {fixed}");
        assert!(ended(&home.run(&["reconcile"]), 0).contains("0 differ"), "{plant}");
        let after = rows(&home, &activity);
        assert!(after == before, "{plant}: {before:#?} became {after:#?}");
    }
    // The row of a ticket is the only place of its record: what is lost is named, and stays so.
    let sql = format!(
        "DELETE FROM tickets WHERE made_seq = (SELECT MIN(made_seq) FROM tickets WHERE activity_id = {activity})"
    );
    home.database().execute_batch(&sql).unwrap();
    let out = ended(&home.run(&["reconcile", "--fix", "--reason", "planted", "--json"]), 1);
    let pass: Value = serde_json::from_str(&out).unwrap();
    let left: Vec<&Value> = pass["differences"].as_array().unwrap().iter().map(|one| &one["what"]).collect();
    assert_eq!((left, &pass["corrected"]), (vec![&json!("ticket_rows")], &json!(0)), "{out}");
}

/// Everything that an activity's audit is about, as rows.
fn rows(home: &Home, activity: &str) -> Vec<String> {
    let database = home.database();
    let tables = [
        ("play_rounds", "round"),
        ("play_prizes", "prize_id"),
        ("players", "user_id"),
        ("tickets", "made_seq"),
        ("wins", "id"),
    ];
    let mut all = Vec::new();
    for (table, key) in tables {
        let sql = format!("SELECT * FROM {table} WHERE activity_id = {activity} ORDER BY {key}");
        let mut statement = database.prepare(&sql).unwrap();
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            let cells = (0..columns).map(|at| format!("{:?}", row.get_ref(at).unwrap()));
            Ok(format!("{table} {}", cells.collect::<Vec<_>>().join(" ")))
        };
        all.extend(statement.query_map([], row).unwrap().map(Result::unwrap));
    }
    all
}

/// Without a server there is no memory to hold the rows against: they are held against each other.
#[tokio::test]
async fn a_folder_without_a_server_is_held_against_itself() {
    let home = shop(&[]).await;
    assert!(ended(&home.run(&["reconcile"]), 0).contains("0 differ"));
    let change = |sql: &str| home.database().execute_batch(sql).unwrap();
    change("UPDATE pool_rounds SET total = total + 1, available = available + 1 WHERE pool_id = 2");
    let table = ended(&home.run(&["reconcile"]), 1);
    assert!(table.contains("moved_available") && table.contains("pool 2 round 1"), "{table}");
    let refused = home.run(&["reconcile", "--fix", "--reason", "edited by hand"]);
    ended(&refused, 2);
    assert!(refused.err().contains("no server responds"), "{}", refused.err());
    change("UPDATE pool_rounds SET available = available - 1, held = held + 1 WHERE pool_id = 1");
    let refused = home.run(&["reconcile"]);
    ended(&refused, 2);
    assert!(refused.err().contains("pool 1 round 1 counts 3 units as held"), "{}", refused.err());
}

fn metric(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.split([' ', '{']).next() == Some(name))?;
    line.rsplit_once(' ')?.1.parse().ok()
}

/// Waits for a figure; answers the whole page.
async fn until(server: &Server, name: &str, wanted: impl Fn(f64) -> bool) -> String {
    let started = Instant::now();
    loop {
        let text = server.page("GET", "/metrics").expect(200).await.text();
        if metric(&text, name).is_some_and(&wanted) {
            return text;
        }
        assert!(started.elapsed() < LIMIT, "{name} does not come about:\n{text}");
        tokio::task::yield_now().await;
    }
}

/// Hole 19: a single difference is enough, and it does not take a percentage.
#[tokio::test]
async fn hole_19_one_difference_is_enough_to_be_counted_and_told() {
    const GAUGE: &str = "windfall_ledger_differences";
    let home = shop(&[("WINDFALL__LEDGER__AUDIT_SLICE_MS", "1")]).await;
    let server = home.start("serve").await;
    let audited = |text: &str| metric(text, "windfall_ledger_audit_pass_seconds_count").unwrap_or(0.0);
    let passes =
        |more: f64| until(&server, "windfall_ledger_audit_pass_seconds_count", move |count| count >= more);
    let text = passes(3.0).await;
    assert_eq!(metric(&text, GAUGE), Some(0.0), "nothing is planted yet");
    home.database().execute_batch("UPDATE holds SET due = due + 1 WHERE id = 'a'").unwrap();
    let text = until(&server, GAUGE, |count| count >= 1.0).await;
    let text = passes(audited(&text) + 3.0).await;
    assert_eq!(metric(&text, GAUGE), Some(1.0), "one row, one difference, pass after pass");
    server.page("GET", "/readyz").expect(200).await;
    server.logged("the ledger and the database differ").await;
    let log = server.log();
    let told: Vec<&str> =
        log.lines().filter(|line| line.contains("the ledger and the database differ")).collect();
    assert_eq!(told.len(), 1, "told once: {told:?}");
    assert!(told[0].contains("hold_due") && told[0].contains("of event 4"), "{told:?}");

    ended(&home.run(&["reconcile", "--fix", "--reason", "edited by hand"]), 0);
    let text = until(&server, GAUGE, |count| count == 0.0).await;
    let text = passes(audited(&text) + 3.0).await;
    assert_eq!(metric(&text, GAUGE), Some(0.0), "corrected");
    assert_eq!(metric(&text, "windfall_ledger_corrections_total"), Some(1.0));
    assert!(metric(&text, "windfall_ledger_audit_last_pass_timestamp_seconds").is_some_and(|at| at > 1e9));
}

/// An order costs what its sale cost when it was made, also when its row is made again.
#[tokio::test]
async fn an_order_that_was_deleted_comes_back_at_its_price() {
    let home = Home::with(&[("WINDFALL__LEDGER__AUDIT_SLICE_MS", "0")]);
    let server = home.start("serve").await;
    let (crew, ann) = (Crew::new(&server).await, server.person(&[]).await);
    let form = |price_minor: u64| sales::form(-1, 1, json!({ "price_minor": price_minor }));
    let sale = crew.publish(form(990)).await;
    let first = sales::ordered(&server, &ann, &sale, 1).await;
    crew.edit(&sale, 0, &form(880)).expect(200).await;
    crew.step(&sale, "submit").expect(200).await;
    crew.step(&sale, "approve").expect(200).await;
    let second = sales::ordered(&server, &ann, &sale, 1).await;
    let before = [sales::order(&server, &ann, &first).await, sales::order(&server, &ann, &second).await];
    assert_eq!([&before[0]["total_minor"], &before[1]["total_minor"]], [&json!(990), &json!(880)]);
    home.database().execute_batch("DELETE FROM order_lines; DELETE FROM orders").unwrap();
    let table = ended(&home.run(&["reconcile"]), 1);
    assert!(table.contains("order_missing") && table.contains(&format!("order {first}")), "{table}");
    let fixed = ended(&home.run(&["reconcile", "--fix", "--reason", "rows were deleted by hand"]), 0);
    assert!(fixed.contains("2 differ, 2 corrected"), "{fixed}");
    for (id, expected) in [(&first, &before[0]), (&second, &before[1])] {
        assert_eq!(&sales::order(&server, &ann, id).await, expected);
    }
    assert!(server.stop().await.success());
}

/// What the alerts rest on: how old the oldest open hold is, and by how many units counters are off.
#[tokio::test]
async fn the_age_of_holds_and_units_that_are_off_are_measured() {
    const AGE: &str = "windfall_ledger_hold_age_seconds";
    const OFF: &str = "windfall_ledger_conservation_error_units";
    let home = Home::with_clock(&[("WINDFALL__LEDGER__AUDIT_SLICE_MS", "1")]);
    let begun = now_ms();
    home.clock_at(begun);
    let server = home.start("serve").await;
    let backend = Backend::new(&server).await;
    let pool = backend.pool(100).await;
    backend.reserve("old", &pool, 1).expect(201).await;
    home.clock_at(begun + 250_000);
    backend.reserve("young", &pool, 2).expect(201).await;
    let text = until(&server, AGE, |age| age == 250.0).await;
    assert_eq!(metric(&text, OFF), Some(0.0), "everything adds up");
    // The oldest ends: the other one is the oldest now.
    backend.post_nothing("/holds/old/cancel").expect(200).await;
    home.clock_at(begun + 300_000);
    until(&server, AGE, |age| age == 50.0).await;

    // Seven units from one counter to another: both differ from the ledger, and from what was moved.
    let sql = "UPDATE pool_rounds SET available = available - 7, held = held + 7";
    home.database().execute_batch(sql).unwrap();
    until(&server, OFF, |units| units == 28.0).await;
    ended(&home.run(&["reconcile", "--fix", "--reason", "planted"]), 0);
    until(&server, OFF, |units| units == 0.0).await;
    backend.post_nothing("/holds/young/cancel").expect(200).await;
    until(&server, AGE, |age| age == 0.0).await;
}
