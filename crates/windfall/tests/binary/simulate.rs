//! `windfall simulate` and the same over the API.

use serde_json::{Value, json};

use crate::process::{Home, shared};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A request that simulates a small activity.
pub fn small(draws: u64, users: u32) -> Value {
    let prizes = json!([
        { "name": "Tea", "odds": 100_000, "units": 5 },
        { "name": "Points", "odds": 400_000, "unlimited": true, "kind": "points", "amount": 3 },
    ]);
    let activity = json!({ "name": "Small", "from": 0, "until": 86_400_000, "prizes": prizes });
    json!({ "activity": activity, "draws": draws, "users": users })
}

fn simulate(home: &Home, file: &str, more: &[&str]) -> Value {
    let file = format!("{EXAMPLES}/{file}");
    let told = home.run(&[&["simulate", "--file", &file, "--json"], more].concat()).ok();
    serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"))
}

#[test]
fn the_examples_come_out_as_their_odds_say() {
    let home = Home::new();
    for file in ["wheel.toml", "nine-grid.toml", "blind-box.toml"] {
        let more = ["--draws", "30000", "--users", "3000", "--seed", "5"];
        let mut told = simulate(&home, file, &more);
        assert!(told["chi_square_p"].as_f64().unwrap() > 0.001, "{file}: {told}");
        assert!(told["draws_per_s"].as_u64().unwrap() > 0, "{file}: {told}");
        assert_eq!(told["draws"], 30_000, "{file}");
        let mut alone = simulate(&home, file, &[&more[..], &["--threads", "1"]].concat());
        for one in [&mut told, &mut alone] {
            let fields = one.as_object_mut().unwrap();
            fields.remove("draws_per_s");
            fields.remove("threads");
            // The examples begin now, which is later in the second run.
            for prize in fields["prizes"].as_array_mut().unwrap() {
                for stop in prize["stops"].as_array_mut().unwrap() {
                    stop.as_object_mut().unwrap().remove("first_ms");
                }
            }
        }
        assert_eq!(told, alone, "{file}: the number of threads changes nothing");
        let other = simulate(&home, file, &["--draws", "30000", "--users", "3000", "--seed", "6"]);
        assert_ne!(told["prizes"], other["prizes"], "{file}: another seed");
    }
}

#[test]
fn nobody_is_without_a_draw_unless_wished() {
    let (home, file) = (Home::new(), format!("{EXAMPLES}/wheel.toml"));
    for (draws, said) in [("1000", "1000 draws by 1000 users"), ("20000", "draws by 10000 users")] {
        let told = home.run(&["simulate", "--file", &file, "--draws", draws]).ok();
        assert!(told.contains(said), "{draws}: {told}");
    }
}

#[test]
fn people_see_a_table_and_a_curve() {
    let file = format!("{EXAMPLES}/wheel.toml");
    let ran = Home::new().run(&["simulate", "--file", &file, "--draws", "200000", "--users", "1000"]);
    let told = ran.ok();
    for words in
        ["200000 draws by 1000 users", "no prize", "chi-square", "units left over time", "手机", "0.002 %"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(ran.err().contains("200000 of 200000 draws"), "progress in plain lines: {}", ran.err());
}

/// Every reason at once, each with its field, and exit code 1.
#[test]
fn an_activity_that_cannot_work_is_told_why() {
    let home = Home::new();
    let text = std::fs::read_to_string(format!("{EXAMPLES}/wheel.toml")).unwrap();
    for (from, to, words) in [
        ("odds = 200_000", "odds = 0", &["prizes[7].odds", "odds_zero"][..]),
        ("odds = 200_000", "odds = 900_000", &["odds_exceed_whole"]),
        ("units = 10\n", "units = 0\n", &["prizes[0].units", "stock_zero"]),
        ("units = 10\n", "", &["prizes[0].units", "missing"]),
        (
            "budget_amount = 2_000_000",
            "budget_amount = 3",
            &["fallback.budget_amount", "fallback_without_budget"],
        ),
        ("day = 30", "day = 301", &["chances.day"]),
    ] {
        assert!(text.contains(from), "{from}");
        let file = home.path().join("flawed.toml");
        std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
        for more in [&[][..], &["--json"]] {
            let ran = home.run(&[&["simulate", "--file", file.to_str().unwrap()], more].concat());
            assert_eq!(ran.0.status.code(), Some(1), "{to}");
            let told = String::from_utf8_lossy(&ran.0.stdout).into_owned();
            assert!(words.iter().all(|word| told.contains(word)), "{words:?}: {told}");
        }
    }
    let file = home.path().join("unknown.toml");
    std::fs::write(&file, text.replacen("odds = 20\n", "ods = 20\n", 1)).unwrap();
    home.run(&["simulate", "--file", file.to_str().unwrap()]).refused("ods");
}

/// A raffle has no odds: the answer has a name, says what to do, and is not that of a flawed activity.
#[test]
fn a_raffle_is_not_simulated_and_says_what_to_do() {
    let home = Home::new();
    let file = format!("{EXAMPLES}/raffle.toml");
    for more in [&[][..], &["--json"]] {
        let ran = home.run(&[&["simulate", "--file", &file], more].concat());
        assert_eq!(ran.0.status.code(), Some(2));
        ran.refused("raffle_not_simulated");
        ran.refused("windfall verify --activity");
        let told = String::from_utf8_lossy(&ran.0.stdout).into_owned();
        assert_eq!(told.contains("\"code\":\"raffle_not_simulated\""), !more.is_empty(), "{told}");
    }
}

#[tokio::test]
async fn the_api_simulates_within_bounds() {
    let (_, server) = shared().await;
    let operator = server.person(&["operator"]).await;
    let call = || server.by(&operator, "POST", "/activities/simulate");
    let told = call().json(small(2_000, 100)).expect(200).await.json();
    assert_eq!((&told["draws"], &told["prizes"][0]["wins"]), (&json!(2_000), &json!(5)), "{told}");
    let again = call().json(small(2_000, 100)).expect(200).await.json();
    assert_eq!(told, again, "the same seed");
    for (draws, users, field) in [
        (0, 1, "draws"),
        (5_000_001, 1, "draws"),
        (10, 0, "users"),
        (10, 11, "users"),
        (2_000_000, 1_000_001, "users"),
    ] {
        let refused = call().json(small(draws, users)).expect(400).await.json();
        assert_eq!(refused["field"], field, "{refused}");
    }
    let mut flawed = small(10, 1);
    flawed["activity"]["prizes"][0]["odds"] = json!(0);
    flawed["activity"]["prizes"][1]["odds"] = json!(1_000_001);
    let refused = call().json(flawed).expect(422).await.json();
    let text = refused.to_string();
    assert_eq!(refused["code"], "flawed");
    for words in ["activity.prizes[0].odds", "odds_exceed_whole"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let mut raffle = small(10, 1);
    raffle["activity"]["kind"] = json!("raffle");
    raffle["activity"]["draw_at"] = json!(86_400_000);
    raffle["activity"]["prizes"] = json!([{ "name": "Tea", "units": 1 }]);
    let refused = call().json(raffle).expect(400).await.json();
    assert_eq!(refused["field"], "activity.kind");
}
