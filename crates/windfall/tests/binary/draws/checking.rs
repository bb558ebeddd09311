//! What anybody can check of an activity: the export before, between and after reveals, over versions, rounds and pages,
//! and a ticket in it by its receipt.

use std::io::Write as _;
use std::process::{Command, Stdio};

use domain::lottery::record::Record;
use engine::activities::RECORDS_AT_ONCE;
use futures::stream::{self, StreamExt as _};
use serde_json::{Value, json};

use super::campaign::{Players, generous};
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::people::fresh_external;
use crate::process::{Home, Ran, Server, shared};
use crate::verify::{has_python, python};

fn with(mut form: Value, members: Value) -> Value {
    let Value::Object(members) = members else { unreachable!("an object") };
    form.as_object_mut().unwrap().extend(members);
    form
}

/// An activity with a crew, and its export.
struct Given<'s> {
    server: &'s Server,
    crew: Crew<'s>,
    activity: String,
    players: Players,
    /// What the next version is made from.
    form: Value,
}

impl<'s> Given<'s> {
    async fn new(server: &'s Server, form: Value) -> Self {
        let crew = Crew::new(server).await;
        let activity = crew.publish(form.clone()).await;
        let players = Players::new(server, &activity).await;
        Self { server, crew, activity, players, form }
    }

    /// A new version in the same round, with a chain of its own.
    async fn version(&self, members: Value) {
        let form = with(self.form.clone(), members);
        self.crew.edit(&self.activity, 0, &form).expect(200).await;
        self.crew.step(&self.activity, "submit").expect(200).await;
        self.crew.step(&self.activity, "approve").expect(200).await;
    }

    async fn draw(&self, player: &str, id: &str, draws: u64) -> Value {
        self.players.draw(player, id, draws).expect(201).await.json()
    }

    async fn close(&self) {
        self.crew.step(&self.activity, "close").expect(200).await;
    }

    /// The export, once it has so many lines that begin like this.
    async fn export(&self, word: &str, count: usize) -> String {
        let export = || self.server.api("GET", &format!("/activities/{}/export", self.activity));
        let enough = |text: &str| text.lines().filter(|line| line.starts_with(word)).count() == count;
        settled(export, |answer| enough(&answer.text())).await.text()
    }
}

/// What `windfall verify` says of a text.
fn verify(home: &Home, text: &str, more: &[&str]) -> Ran {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    if has_python() && more.is_empty() {
        let ours = home.run(&["verify", "--file", file.path().to_str().unwrap()]);
        let (agrees, told) = python(file.path());
        assert_eq!(agrees, ours.0.status.success(), "the verifier in Python: {told}");
    }
    home.run(&[&["verify", "--file", file.path().to_str().unwrap()], more].concat())
}

/// Two rounds, the first of them under two versions that the same people played; the second not revealed at first.
#[tokio::test]
async fn an_export_goes_over_versions_and_rounds() {
    let (home, server) = shared().await;
    // A cap, pity and a prize that opens later: all of them count what was under the version before.
    let rules = json!({ "chances": { "total": 50 }, "pity": { "prize": 1, "misses": 3 }, "prizes": [
        { "name": "tea", "odds": 200_000, "units": 30, "win_cap": 2 },
        { "name": "cup", "odds": 100_000, "unlimited": true, "unlock": { "draws": 12 } },
    ] });
    let given = Given::new(server, with(generous(0, 50), rules)).await;
    let (ann, bob) = (fresh_external(), fresh_external());
    for (player, id) in [(&ann, "a1"), (&bob, "b1")] {
        given.draw(player, id, 10).await;
    }
    let sealed = given.export(&format!("sealed {} 1 1 20", given.activity), 1).await;
    assert!(!sealed.contains("\nrecord ") && !sealed.contains("\nsecret "), "{sealed}");
    let nothing = home.run(&["verify", "--activity", &given.activity]);
    nothing.refused("nothing_to_verify");
    assert!(nothing.err().contains("round 1, version 1: 20 draws, not revealed yet"), "{}", nothing.err());

    given.version(json!({ "chances": { "total": 49 } })).await;
    let ann_2 = given.draw(&ann, "a2", 10).await;
    given.draw(&bob, "b2", 1).await;
    let sealed = settled(
        || server.api("GET", &format!("/activities/{}/export", given.activity)),
        |answer| answer.text().contains(" 31\n"),
    );
    assert!(sealed.await.text().contains(&format!("sealed {} 1 1,2 31\n", given.activity)));
    given.close().await;
    let first = given.export("secret ", 2).await;
    assert!(first.ends_with("end 2\ntotal 2 0 0\n"), "{first}");
    let told = verify(home, &first, &[]).ok();
    assert!(told.starts_with("31 draws, all reproduce"), "{told}");

    given.crew.step(&given.activity, "reopen").expect(200).await;
    for (player, id, draws) in [(&ann, "a3", 10), (&bob, "b3", 1)] {
        given.draw(player, id, draws).await;
    }
    let text = settled(
        || server.api("GET", &format!("/activities/{}/export", given.activity)),
        |answer| answer.text().contains(" 11\n"),
    );
    let text = text.await.text();
    let told = verify(home, &text, &[]).ok();
    assert!(told.starts_with("31 draws, all reproduce"), "{told}");
    assert!(told.ends_with("\nround 2, version 2: 11 draws, not revealed yet"), "{told}");
    let json: Value = serde_json::from_str(&verify(home, &text, &["--json"]).ok()).unwrap();
    assert_eq!((&json["sealed_rounds"], &json["sealed_draws"]), (&json!(1), &json!(11)), "{json}");

    given.close().await;
    let text = given.export("secret ", 3).await;
    assert!(verify(home, &text, &[]).ok().starts_with("42 draws, all reproduce"));
    let url = format!("http://{}", server.address);
    for more in [&[][..], &["--url", &url]] {
        let told = home.run(&[&["verify", "--activity", &given.activity], more].concat()).ok();
        assert!(told.starts_with("42 draws, all reproduce"), "the server is asked for it: {told}");
    }
    cut_off(home, &text);
    receipts(home, &text, &ann_2);
}

/// Wherever a download breaks off, it is known as such: also between two chains.
fn cut_off(home: &Home, text: &str) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let ends = (0..lines.len()).filter(|at| lines[*at].starts_with("end ")).map(|at| at + 1);
    for cut in ends.chain([lines.len() - 1, lines.len() / 2]) {
        let found = verify(home, &lines[..cut].concat(), &[]);
        assert_eq!(found.0.status.code(), Some(1), "after line {cut}: {}", found.out());
        assert!(found.out().contains("(unfinished)"), "after line {cut}: {}", found.out());
    }
    let last = text.rfind("record ").unwrap();
    let mut changed = text.to_owned().into_bytes();
    changed[last + 90] = if changed[last + 90] == b'0' { b'1' } else { b'0' };
    let found = verify(home, std::str::from_utf8(&changed).unwrap(), &[]);
    assert_eq!(found.0.status.code(), Some(1), "a changed digit is found: {}", found.out());
}

/// The answer to a draw as it was kept, as two words, in a file and on standard input.
fn receipts(home: &Home, text: &str, ticket: &Value) {
    let (place, link) = (&ticket["receipt"]["place"], ticket["receipt"]["link"].as_str().unwrap());
    let words = format!("{place} {link}");
    let (answer, file) = (ticket.to_string(), tempfile::NamedTempFile::new().unwrap());
    std::fs::write(file.path(), &answer).unwrap();
    let name = ticket["draws"][0]["prize"]["name"].as_str().unwrap_or("no prize");
    let expected =
        format!("\nyour ticket is number {place} of the chain of round 1, version 2: draw 10 gave {name}");
    for receipt in [&words, &answer, file.path().to_str().unwrap()] {
        let told = verify(home, text, &["--receipt", receipt]).ok();
        assert!(told.contains(&expected) && told.ends_with("; it reproduces"), "{receipt}: {told}");
    }
    let export = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(export.path(), text).unwrap();
    let mut command: Command =
        home.command(&["verify", "--file", export.path().to_str().unwrap(), "--receipt", "-", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(answer.as_bytes()).unwrap();
    let told: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!((&told["receipt_found"], &told["receipt_version"]), (&json!(true), &json!(2)), "{told}");

    let other = format!("{place} {}", link.replace('a', "b").replace('c', "a"));
    let beyond = format!("99 {link}");
    for (receipt, why) in
        [(other, format!("round 1, version 2 has the link {link} there")), (beyond, "ends at place 2".into())]
    {
        let unknown = verify(home, text, &["--receipt", &receipt]);
        assert_eq!(unknown.0.status.code(), Some(1), "{}", unknown.out());
        assert!(
            unknown.out().contains("receipt_unknown") && unknown.out().contains(&why),
            "{}",
            unknown.out()
        );
    }
    verify(home, text, &["--receipt", "mine"]).refused("receipt_unreadable");
}

/// More records than the export reads at a time.
#[tokio::test]
async fn an_export_has_as_many_pages_as_it_needs() {
    let (home, server) = shared().await;
    let given = Given::new(server, generous(3, 1)).await;
    let people = u64::from(RECORDS_AT_ONCE) + 1;
    stream::iter(0..people)
        .for_each_concurrent(32, |_| async {
            given.draw(&fresh_external(), "once", 1).await;
        })
        .await;
    given.close().await;
    let text = given.export("secret ", 1).await;
    assert!(text.ends_with(&format!("\nend {people}\ntotal 1 0 0\n")), "{}", &text[text.len() - 200..]);
    let told = verify(home, &text, &[]).ok();
    assert!(told.starts_with(&format!("{people} draws, all reproduce")), "{told}");
}

/// The rule tree is known before the first draw, and the paths of the records lead through it.
#[tokio::test]
async fn a_rule_tree_is_published_and_checked() {
    let (home, server) = shared().await;
    let ask = json!({ "id": 1, "fact": "vip", "type": "flag",
        "edges": [{ "when": "=", "value": true, "to": 2 }], "otherwise": 3 });
    let nodes = [ask, json!({ "id": 2, "leaf": "allow" }), json!({ "id": 3, "leaf": "deny" })];
    let tree = json!({ "name": "VIPs", "purpose": "admission", "root": 1, "nodes": nodes });
    let id: String = server.console("POST", "/trees").json(tree).expect(201).await.member("id");
    let given = Given::new(server, with(generous(9, 10), json!({ "tree": id }))).await;
    let published = given.players.get("nobody", "").expect(200).await.json()["tree"].clone();
    assert_eq!((&published["id"], &published["version"]), (&json!(id), &json!(1)), "{published}");
    let hash = published["hash"].as_str().unwrap();

    let ann = fresh_external();
    let facts = format!("/external-users/{ann}/facts?create_user=true");
    server.console("PATCH", &facts).json(json!({ "vip": true })).expect(200).await;
    given.draw(&ann, "one", 10).await;
    given.close().await;
    let text = given.export("secret ", 1).await;
    let told = verify(home, &text, &[]).ok();
    assert!(told.starts_with("10 draws, all reproduce"), "{told}");
    assert!(told.contains(&format!("rule tree {id}, version 1: is its hash {hash} the one")), "{told}");

    // The two leaves change places: by this tree nobody was let in.
    let line = text.lines().find(|line| line.starts_with("tree ")).unwrap();
    let (before, _) = line.split_once("0000000200000001").expect("node 2 allows");
    assert!(line.ends_with("0000000300000000"), "node 3 denies: {line}");
    let swapped = format!("{before}00000002000000000000000300000001");
    let found = verify(home, &text.replace(line, &swapped), &[]);
    assert!(found.out().contains("(rule_path_mismatch)"), "{}", found.out());
}

/// Players are numbered in the order of their first tickets, and what is published knows them by that number only: with
/// an account's id anybody could look up whose masked name it is.
#[tokio::test]
async fn nothing_that_is_published_names_an_account() {
    let (home, server) = shared().await;
    let given = Given::new(server, generous(9, 5)).await;
    let players = [fresh_external(), fresh_external(), fresh_external()];
    assert!(given.players.get(&players[0], "/me").expect(200).await.json().get("player").is_none());
    let mut tickets = Vec::new();
    for (player, id) in [(0, "first"), (1, "first"), (0, "second"), (2, "first")] {
        let ticket = given.draw(&players[player], id, 1).await["ticket"].as_str().unwrap().to_owned();
        tickets.push((player, ticket));
    }
    given.close().await;
    let export = given.export("secret ", 1).await;
    assert!(verify(home, &export, &[]).ok().starts_with("4 draws, all reproduce"));
    let records: Vec<Record> = export
        .lines()
        .filter_map(|line| unhex_all(line.strip_prefix("record ")?.split(' ').nth(2)?))
        .map(|bytes| Record::decode(&bytes).unwrap())
        .collect();
    assert_eq!(records.iter().map(|record| record.key.seat.number()).collect::<Vec<_>>(), [1, 2, 1, 3]);
    for (number, player) in (1..).zip(&players) {
        assert_eq!(given.players.get(player, "/me").expect(200).await.json()["player"], json!(number));
        let account =
            given.players.me(player, "").expect(200).await.json()["id"].as_str().unwrap().to_owned();
        let hex = format!("{:016x}", account.parse::<i64>().unwrap());
        assert!(!export.contains(&account) && !export.contains(&hex), "player {number} is account {account}");
    }
    for (player, ticket) in tickets {
        let proof =
            given.players.get(&players[player], &format!("/me/proof/{ticket}")).expect(200).await.json();
        assert_eq!(proof["player"], json!(player + 1), "{proof}");
    }
}

fn unhex_all(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}
