//! Exports: `windfall verify` and the verifier in Python agree, on what is right and on whatever is changed.

use std::path::Path;
use std::process::Command;

use domain::export::write;
use domain::ids::ActivityId;
use domain::lottery::random::DrawSecret;
use domain::player_number::PlayerNumber;
use domain::raffle::{self, Beacon, Entrant, Roll};
use serde_json::Value;
use testkit::skip::{self, Reason};

use crate::process::Home;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
const DRAWS: usize = 2_000;

/// Simulated draws of an example, without the last line.
fn simulated(home: &Home, example: &str) -> Vec<String> {
    let file = home.path().join("export");
    let (activity, draws) = (format!("{EXAMPLES}/{example}"), DRAWS.to_string());
    let arguments = ["simulate", "--file", &activity, "--draws", &draws, "--users", "150", "--export"];
    home.run(&[&arguments[..], &[file.to_str().unwrap()]].concat()).ok();
    let mut lines: Vec<String> = std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.pop().unwrap(), "total 1 0 0");
    lines
}

/// A raffle of a hundred people with three prizes.
fn raffled() -> String {
    let entrants = (1..=100_u32)
        .map(|player| Entrant { seat: PlayerNumber::new(player).unwrap(), entries: 1 + player % 5 });
    let name = Some("the noise of the sea".to_owned());
    let roll = Roll::new(ActivityId(9), 2, name, vec![1, 5, 20], entrants.collect()).unwrap();
    let (secret, beacon) = ([7; 32], b"splash");
    let mut out = String::new();
    write::raffle(&mut out, ActivityId(9), 2, &DrawSecret::new(secret).commitment().0, roll.hash());
    write::roll(&mut out, &roll);
    write::secret(&mut out, &secret);
    write::beacon(&mut out, beacon);
    let winners = raffle::draw(&secret, &roll, Some(&Beacon::of(beacon))).unwrap();
    winners.iter().for_each(|winner| write::winner(&mut out, winner));
    write::end(&mut out, winners.len() as u64);
    out
}

/// What `windfall verify` says; and its exit code fits.
fn ours(home: &Home, file: &Path) -> Value {
    let ran = home.run(&["verify", "--file", file.to_str().unwrap(), "--json"]);
    let told: Value =
        serde_json::from_slice(&ran.0.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert_eq!(ran.0.status.code(), Some(i32::from(told["reproduces"] == false)), "{told}");
    told
}

/// Whether the verifier in Python agrees, and what it says.
pub fn python(file: &Path) -> (bool, String) {
    let ran = Command::new("python3").arg(format!("{EXAMPLES}/verify.py")).arg(file).output().unwrap();
    let told = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8_lossy(&told).trim().to_owned())
}

pub fn has_python() -> bool {
    let has = Command::new("python3").arg("--version").output().is_ok();
    if !has {
        skip::record(Reason::for_package(), "the verifier in Python: python3 is not here");
    }
    has
}

fn written(home: &Home, lines: &[String]) -> std::path::PathBuf {
    let file = home.path().join("changed");
    std::fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    file
}

#[test]
fn what_was_simulated_reproduces() {
    let home = Home::new();
    for example in ["wheel.toml", "nine-grid.toml", "blind-box.toml"] {
        let mut lines = simulated(&home, example);
        lines.extend(raffled().lines().map(str::to_owned));
        lines.push("sealed 9 3 1,2 51".to_owned());
        lines.push("total 1 1 1".to_owned());
        let file = written(&home, &lines);
        let told = ours(&home, &file);
        assert_eq!(
            (&told["reproduces"], &told["winners"]),
            (&Value::Bool(true), &26.into()),
            "{example}: {told}"
        );
        let draws = told["draws"].as_u64().unwrap();
        assert!(draws > 1_500 && draws <= DRAWS as u64, "{example}: {told}");
        let plain = home.run(&["verify", "--file", file.to_str().unwrap()]);
        assert!(plain.ok().starts_with(&format!("{draws} draws and 26 winners of raffles, all reproduce")));
        assert!(plain.err().contains("bytes"), "progress in plain lines: {}", plain.err());
        if has_python() {
            let expected = format!(
                "{draws} draws and 26 winners of raffles, all reproduce\nround 3, versions 1, 2: 51 draws, not revealed yet"
            );
            assert_eq!(python(&file), (true, expected), "{example}");
        }
    }
}

type Tampering = (&'static str, fn(&mut Vec<String>), &'static str, u64);

/// Puts another digit where a line has one, counted from its end.
fn change(line: &mut String, from_end: usize) {
    let at = line.len() - from_end;
    let other = if &line[at..=at] == "0" { "1" } else { "0" };
    line.replace_range(at..=at, other);
}

/// Both verifiers find it, in the same line.
#[test]
fn every_tampering_is_found_by_both() {
    let home = Home::new();
    let mut lines = simulated(&home, "blind-box.toml");
    let raffle = lines.len();
    lines.extend(raffled().lines().map(str::to_owned));
    // Lines from 1: head, published, strategy, secret, records from 5 on.
    let rows: [Tampering; 13] = [
        ("no last line", |l| drop(l.pop()), "unfinished", 0),
        (
            "another total",
            |l| *l.last_mut().unwrap() = "total 2 0 0".into(),
            "count_mismatch",
            DRAWS as u64 + 6,
        ),
        ("a changed outcome", |l| change(&mut l[1_000], 2), "chain_mismatch", 1_001),
        ("a changed input", |l| change(&mut l[1_000], 60), "chain_mismatch", 1_001),
        ("a changed strategy", |l| change(&mut l[2], 60), "strategy_mismatch", 3),
        ("other odds, and a hash that fits", |l| change(&mut l[1], 1), "strategy_mismatch", 3),
        ("a dropped draw", |l| drop(l.remove(1_000)), "chain_mismatch", 1_001),
        ("the last draw dropped", |l| drop(l.remove(DRAWS + 3)), "count_mismatch", DRAWS as u64 + 4),
        (
            "an inserted draw",
            |l| {
                let again = l[1_000].clone();
                l.insert(1_001, again);
            },
            "chain_mismatch",
            1_002,
        ),
        ("a wrong secret", |l| change(&mut l[3], 1), "secret_mismatch", 4),
        ("another commitment", |l| change(&mut l[1], 66), "secret_mismatch", 4),
        ("half a file", |l| l.truncate(1_500), "unfinished", 0),
        ("a sign that is no digit", |l| l[1_000].push('\u{fffd}'), "line_malformed", 1_001),
    ];
    for (name, tamper, code, line) in rows {
        let mut changed = lines[..raffle].to_vec();
        changed.push("total 1 0 0".to_owned());
        tamper(&mut changed);
        found(&home, &changed, name, code, line);
    }
    let rows: [Tampering; 4] = [
        ("another roll", |l| change(&mut l[2], 2), "roll_mismatch", 0),
        ("another winner", |l| l[5].push('1'), "winner_mismatch", 0),
        ("another beacon", |l| change(&mut l[4], 1), "winner_mismatch", 0),
        ("another secret", |l| change(&mut l[3], 1), "secret_mismatch", 0),
    ];
    for (name, tamper, code, line) in rows {
        let mut changed = [&lines[..1], &lines[raffle..], &["total 0 1 0".to_owned()]].concat();
        tamper(&mut changed);
        found(&home, &changed, name, code, line);
    }
}

/// Line 0: whichever it is.
fn found(home: &Home, lines: &[String], name: &str, code: &str, line: u64) {
    let file = written(home, lines);
    let told = ours(home, &file);
    assert_eq!(
        (told["reproduces"].as_bool(), told["code"].as_str()),
        (Some(false), Some(code)),
        "{name}: {told}"
    );
    assert!(line == 0 || told["line"] == line, "{name}: {told}");
    if has_python() {
        let (agrees, said) = python(&file);
        assert!(!agrees && said.starts_with("line "), "{name}: {said}");
        assert!(line == 0 || said.starts_with(&format!("line {line}:")), "{name}: {said}");
    }
}

#[test]
fn what_cannot_be_read_is_unknown() {
    let home = Home::new();
    for arguments in [&["verify", "--file", "nowhere"][..], &["verify"], &["verify", "--activity", "7"]] {
        let ran = home.run(arguments);
        assert_eq!(ran.0.status.code(), Some(2), "{arguments:?}: {ran:?}");
    }
    let sealed: &[u8] = b"windfall-export 1\r\nsealed 9 3 1 51\r\ntotal 0 0 1\r\n";
    for (name, bytes, said) in [
        ("empty", &b""[..], "this is no export"),
        ("gzip", &[0x1f, 0x8b, 8, 0, 0xff, 0xfe, b'\n'], "this is no export"),
        ("something else", b"Dear Sir or Madam,\n", "this is no export"),
        ("no head", b"sealed 9 3 1 51\ntotal 0 0 1\n", "this is no export"),
        ("nothing revealed", sealed, "round 3, version 1: 51 draws, not revealed yet"),
    ] {
        let file = home.path().join("odd");
        std::fs::write(&file, bytes).unwrap();
        let ran = home.run(&["verify", "--file", file.to_str().unwrap()]);
        assert_eq!(ran.0.status.code(), Some(2), "{name}: {ran:?}");
        assert!(ran.err().contains(said) && !ran.err().contains("line 0"), "{name}: {ran:?}");
        if has_python() {
            let script = format!("{EXAMPLES}/verify.py");
            let ran = Command::new("python3").arg(script).arg(&file).output().unwrap();
            let told = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.code() == Some(2) && told.contains(said), "{name}: {ran:?}");
        }
    }
    if has_python() {
        let ran = Command::new("python3").arg(format!("{EXAMPLES}/verify.py")).output().unwrap();
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(2) && told.starts_with("usage: "), "{ran:?}");
    }
    let asked = home.run(&["verify"]).err();
    assert!(asked.contains("--file") && asked.contains("--activity"), "both ways are named: {asked}");
}
