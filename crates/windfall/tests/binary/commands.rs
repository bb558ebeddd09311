//! Commands that need no server: what they print and what they refuse.

use serde_json::Value;

use crate::process::Home;

#[test]
fn version_names_the_version_and_the_commit() {
    let told = Home::new().run(&["--version"]).ok();
    let start = concat!("windfall ", env!("CARGO_PKG_VERSION"), " (");
    let commit = told.strip_prefix(start).and_then(|rest| rest.strip_suffix(')'));
    let fits = |commit: &str| {
        commit == "unknown" || (commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    assert!(commit.is_some_and(fits), "{told}");
}

/// When this fails, the API has changed: run `make api`, or what it runs:
/// `cargo run -p windfall -- openapi > api/openapi.json`, and commit the file.
#[test]
fn the_committed_api_document_is_current_else_run_make_api() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../api/openapi.json");
    let committed = std::fs::read(committed).unwrap_or_default();
    let printed = Home::new().run(&["openapi"]).0.stdout;
    let advice =
        "api/openapi.json is stale: run `make api` (cargo run -p windfall -- openapi > api/openapi.json)";
    assert!(committed == printed, "{advice}");
}

#[tokio::test]
async fn the_served_api_document_is_the_printed_one() {
    let (_, server) = crate::process::shared().await;
    let served = server.api("GET", "/openapi.json").expect(200).await.json();
    let mut printed: Value = serde_json::from_str(&Home::new().run(&["openapi"]).ok()).unwrap();
    // The cookie has another name behind TLS, which this server is not.
    let cookie = &mut printed["components"]["securitySchemes"]["session"]["name"];
    assert_eq!(*cookie, "__Host-windfall_session");
    *cookie = Value::from("windfall_session");
    assert!(served == printed, "the served document is another one");
    for page in ["/", "/docs/", "/enter"] {
        let answer = server.page("GET", page).expect(200).await;
        assert!(answer.header("content-type").starts_with("text/html"), "{page}: {:?}", answer.headers);
    }
}

/// What is refused before anything is opened: arguments, settings, and words of the refusal.
#[test]
fn settings_that_cannot_be_meant_refuse_to_start() {
    for (settings, words) in [
        (vec![("WINDFALL__PROFILE", "cluster")], vec!["postgres.url", "cluster.address"]),
        (vec![("WINDFALL__HTTP__LISTN", "127.0.0.1:1")], vec!["http.listn", "http.listen"]),
        (vec![("WINDFALL__HTTP__LISTEN", "somewhere")], vec!["http.listen", "somewhere"]),
        (vec![("WINDFALL__SESSION__IDLE_DAYS", "0")], vec!["session.idle_days"]),
        (
            vec![("WINDFALL__LOG__LEVL", "info"), ("WINDFALL__JOBS__ENABLED", "perhaps")],
            vec!["log.level", "jobs.enabled"],
        ),
        (vec![("WINDFALL__CODE__SENDER", "webhook")], vec!["webhook_url"]),
    ] {
        let home = Home::with(&settings);
        let ran = home.run(&["serve"]);
        for word in words {
            ran.refused(word);
        }
        assert!(!home.data().exists(), "{settings:?} made no data folder");
    }
}

#[test]
fn a_file_is_read_and_its_mistakes_are_named() {
    let home = Home::new();
    let file = home.path().join("other.toml");
    std::fs::write(&file, "[htp]\nlisten = \"127.0.0.1:1\"\n").unwrap();
    let ran = home.run(&["serve", "--config", file.to_str().unwrap()]);
    ran.refused("http");
    ran.refused("other.toml");
    // Without --config, windfall.toml of the working directory counts.
    std::fs::write(home.path().join("windfall.toml"), "profile = \"cluster\"\n").unwrap();
    home.run(&["serve"]).refused("cluster.address");
}

#[test]
fn doctor_prints_one_flat_line_of_numbers() {
    let home = Home::with(&[("WINDFALL__HTTP__LISTEN", "127.0.0.1:0")]);
    let ran = home.run(&["doctor", "--json"]);
    let out = ran.out();
    assert_eq!(out.lines().count(), 1, "{out}");
    let told: serde_json::Map<String, Value> = serde_json::from_str(&out).unwrap();
    assert!(told.values().all(Value::is_number), "{out}");
    let number = |name: &str| told[name].as_f64().unwrap();
    assert_eq!(number("checks"), number("ok") + number("warn") + number("fail"));
    assert_eq!(
        ran.0.status.success(),
        number("fail") == 0.0,
        "the status says whether anything failed: {out}"
    );
    let table = home.run(&["doctor"]).out();
    assert!(table.contains("advice") && table.contains("warnings"), "{table}");
}

#[test]
fn doctor_looks_on_when_the_settings_are_wrong() {
    let ran = Home::with(&[("WINDFALL__HTTP__LISTN", "x")]).run(&["doctor"]);
    assert!(!ran.0.status.success());
    assert!(ran.out().contains("http.listen"), "{}", ran.out());
}

#[test]
fn migrating_twice_changes_nothing() {
    let home = Home::new();
    let first = home.run(&["migrate"]).ok();
    assert!(first.contains("applied 0001"), "{first}");
    let schema = |home: &Home| -> Vec<String> {
        let database = home.database();
        let mut all =
            database.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let before = schema(&home);
    let second = home.run(&["migrate"]).ok();
    assert!(!second.contains("applied"), "{second}");
    assert_eq!(first.lines().last(), second.lines().last(), "the same version");
    assert_eq!(schema(&home), before);
}
