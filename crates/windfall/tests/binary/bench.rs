//! The benches with tiny figures: every figure is there, and they leave nothing behind.

use serde_json::{Map, Value};

use crate::process::Home;

/// Names that scripts compare by.
const FIGURES: &[&str] = &[
    "hot_per_s",
    "hot_single_per_s",
    "many_pools_per_s",
    "many_pools_single_per_s",
    "sold_out_per_s",
    "sold_out_single_per_s",
    "commit_p99_ms",
    "light_p99_ms",
    "hot_commit_p99_ms",
    "hot_block_p50_events",
    "bytes_per_hold",
    "bytes_per_finished_id",
    "growth_ratio",
    "lag_after_s",
    "restart_s",
    "restart_finished",
];
const OF_REDIS: &[&str] =
    &["redis_lua_everysec_per_s", "redis_lua_always_per_s", "ratio_redis_lua", "ratio_redis_lua_always"];

#[test]
fn the_ledger_is_measured_in_one_flat_line_of_numbers() {
    let home = Home::new();
    let folder = home.path().join("bench");
    std::fs::create_dir(&folder).unwrap();
    let small = ["--seconds", "0.2", "--reservations", "20000", "--at-once", "64", "--many", "100000"];
    let past = ["--restart", "--restart-finished", "2000", "--restart-unprojected", "1000"];
    let mut arguments = vec!["bench", "ledger", "--json", "--folder", folder.to_str().unwrap()];
    arguments.extend(small.into_iter().chain(past));
    let out = home.run(&arguments).ok();
    assert_eq!(out.lines().count(), 1, "{out}");
    let told: Map<String, Value> = serde_json::from_str(&out).unwrap();
    let above_zero = |name: &str| told[name].as_f64().is_some_and(|figure| figure > 0.0);
    for name in FIGURES {
        assert!(above_zero(name), "{name} in {out}");
    }
    // What so few users take may fit into what was there before.
    assert!(told["bytes_per_user"].as_f64().is_some_and(|bytes| bytes >= 0.0), "bytes_per_user in {out}");
    let redis = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join("redis-server").is_file());
    for name in OF_REDIS {
        assert!(if redis { above_zero(name) } else { told[*name].is_null() }, "{name} in {out}");
    }
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Names that scripts compare by.
const OF_DRAWS: &[&str] = &[
    "echo_per_s",
    "draws_per_s",
    "ratio_echo",
    "ratio_echo_64",
    "ratio_echo_sustained",
    "p99_half_load_ms",
    "commit_p99_ms",
    "draws",
];
const OF_THE_PEER: &[&str] = &["redis_pg_draws_per_s", "ratio_redis_pg"];

#[test]
fn draws_are_measured_beside_the_echo() {
    let home = Home::new();
    let folder = home.path().join("bench");
    std::fs::create_dir(&folder).unwrap();
    let mut arguments = vec!["bench", "http", "--draw", "--json", "--folder", folder.to_str().unwrap()];
    arguments.extend(["--connections", "8", "--seconds", "1", "--warmup-seconds", "0", "--rounds", "1"]);
    arguments.extend(["--players", "2000", "--sustained-seconds", "1"]);
    let out = home.run(&arguments).ok();
    assert_eq!(out.lines().count(), 1, "{out}");
    let told: Map<String, Value> = serde_json::from_str(&out).unwrap();
    let above_zero = |name: &str| told[name].as_f64().is_some_and(|figure| figure > 0.0);
    for name in OF_DRAWS {
        assert!(above_zero(name), "{name} in {out}");
    }
    for name in OF_THE_PEER {
        assert!(told[*name].is_null() || above_zero(name), "{name} in {out}");
    }
    assert_eq!(told["errors"].as_f64(), Some(0.0), "{out}");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_projection_of_draws_is_measured_as_they_grow() {
    let home = Home::new();
    let folder = home.path().join("bench");
    std::fs::create_dir(&folder).unwrap();
    let folder_text = folder.to_str().unwrap();
    let small = ["--draws", "20000", "--players", "1000", "--folder", folder_text];
    let arguments: Vec<&str> = ["bench", "projection", "--json"].into_iter().chain(small).collect();
    let out = home.run(&arguments).ok();
    let told: Map<String, Value> = serde_json::from_str(&out).unwrap();
    for name in ["projection_draws_per_s_at_0", "projection_draws_per_s_at_half", "projection_draws_per_s"] {
        assert!(told[name].as_f64().is_some_and(|figure| figure > 0.0), "{name} in {out}");
    }
    assert_eq!(told["projection_draws"].as_f64(), Some(20_000.0), "{out}");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn giving_prizes_is_measured() {
    let home = Home::new();
    let folder = home.path().join("bench");
    std::fs::create_dir(&folder).unwrap();
    let folder_text = folder.to_str().unwrap();
    let small = ["--codes", "5000", "--messages", "5000", "--webhooks", "500", "--folder", folder_text];
    let arguments: Vec<&str> = ["bench", "fulfilment", "--json"].into_iter().chain(small).collect();
    let out = home.run(&arguments).ok();
    assert_eq!(out.lines().count(), 1, "{out}");
    let told: Map<String, Value> = serde_json::from_str(&out).unwrap();
    for name in ["code_import_per_s", "relay_per_s", "relay_memory_before_mib", "webhooks_per_s"] {
        assert!(told[name].as_f64().is_some_and(|figure| figure > 0.0), "{name} in {out}");
    }
    assert_eq!(told["relay_messages"].as_f64(), Some(5_000.0), "{out}");
    assert!(told["relay_memory_grown_mib"].as_f64().is_some_and(|figure| figure >= 0.0), "{out}");
    assert_eq!(told["code_import_codes"].as_f64(), Some(5_000.0), "{out}");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn searches_are_measured() {
    let home = Home::new();
    let folder = home.path().join("bench");
    std::fs::create_dir(&folder).unwrap();
    let small = ["--posts", "300", "--searches", "40", "--folder", folder.to_str().unwrap()];
    let arguments: Vec<&str> = ["bench", "search", "--json"].into_iter().chain(small).collect();
    let out = home.run(&arguments).ok();
    assert_eq!(out.lines().count(), 1, "{out}");
    let told: Map<String, Value> = serde_json::from_str(&out).unwrap();
    for name in ["search_p99_ms", "search_p50_ms", "search_max_ms", "search_hits", "search_indexed_per_s"] {
        assert!(told[name].as_f64().is_some_and(|figure| figure > 0.0), "{name} in {out}");
    }
    assert_eq!(told["search_posts"].as_f64(), Some(300.0), "{out}");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Names that scripts compare by.
const OF_SALES: &[&str] = &[
    "soldout_per_s",
    "echo_per_s",
    "ratio_echo",
    "sellout_s",
    "rush_s",
    "p50_ms",
    "p99_ms",
    "p999_ms",
    "result_p50_ms",
    "result_p99_ms",
    "result_p999_ms",
    "expiry_s",
    "draw_p99_ratio",
    "attempt_p99_ratio",
];

#[test]
fn a_sale_is_measured_beside_the_echo() {
    let home = Home::new();
    let folder = home.path().join("bench");
    std::fs::create_dir(&folder).unwrap();
    let mut arguments = vec!["bench", "http", "--sale", "--json", "--folder", folder.to_str().unwrap()];
    arguments.extend(["--connections", "8", "--seconds", "1", "--warmup-seconds", "0", "--rounds", "1"]);
    arguments.extend(["--buyers", "2000", "--units", "200", "--holds", "2000"]);
    arguments.extend(["--beside-draws", "20", "--beside-attempts", "20"]);
    let out = home.run(&arguments).ok();
    assert_eq!(out.lines().count(), 1, "{out}");
    let told: Map<String, Value> = serde_json::from_str(&out).unwrap();
    for name in OF_SALES {
        assert!(told[*name].as_f64().is_some_and(|figure| figure > 0.0), "{name} in {out}");
    }
    for (name, expected) in [
        ("units_sold", 200.0),
        ("units_short", 0.0),
        ("orders", 200.0),
        ("attempts", 2_000.0),
        ("errors", 0.0),
    ] {
        assert_eq!(told[name].as_f64(), Some(expected), "{name} in {out}");
    }
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
