//! Whoever deletes their account leaves no facts and no words of others about them.

use serde_json::json;

use super::fixtures::approve;
use crate::process::Home;

#[tokio::test]
async fn a_deleted_account_leaves_no_facts_and_no_reasons() {
    const WORDS: &str = "unmistakable-words";
    let home = Home::new();
    let server = &home.demo().await;
    let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
    let person = server.person(&[]).await;
    let about =
        |method: &str, path: &str| server.by(&ann, method, &format!("/admin/users/{}/{path}", person.id));
    about("PATCH", "facts").json(json!({ "illness": WORDS })).expect(200).await;
    about("PUT", "ban").json(json!({ "reason": WORDS })).expect(204).await;
    about("DELETE", "ban").expect(204).await;
    about("POST", "points").json(json!({ "points": 5, "reason": WORDS })).expect(200).await;
    let asked = about("POST", "points").json(json!({ "points": 50_000, "reason": WORDS })).expect(202).await;
    approve(server, &bob, &asked.member("approval_id")).expect(200).await;
    about("POST", "roles").json(json!({ "roles": ["operator"], "reason": WORDS })).expect(202).await;
    let kind = crate::grants::fresh_kind();
    let grant = {
        crate::grants::rule(server, &kind, crate::grants::points(5)).await;
        let told = crate::grants::tell(server, &kind, "a", &person.id).expect(200).await.json();
        told["answers"][0]["recorded"]["grants"][0]["id"].as_str().unwrap().to_owned()
    };
    let reverse = server.by(&ann, "POST", &format!("/grants/{grant}/reverse"));
    reverse.json(json!({ "reason": WORDS })).expect(200).await;
    let (judge, second) = (server.person(&["moderator"]).await, server.person(&["moderator"]).await);
    // The ban ended the session.
    let again = server.sign_in(&person.phone, &person.password).await;
    let by_person = |method: &str, path: &str| server.api(method, path).cookie(&again);
    let text = json!({ "title": "Snow", "body": "It snows." });
    let post = by_person("POST", "/posts").json(text).expect(201).await.member("id");
    let remove = json!({ "act": "remove", "reason": WORDS });
    server.by(&judge, "POST", &format!("/admin/posts/{post}/moderate")).json(remove).expect(200).await;
    let decision = by_person("GET", "/me/decisions").expect(200).await.items()[0]["id"].clone();
    let decision = decision.as_str().unwrap();
    let appeal = by_person("POST", &format!("/me/decisions/{decision}/appeal"));
    appeal.json(json!({ "text": WORDS })).expect(204).await;
    let decide = server.by(&second, "POST", &format!("/admin/appeals/{decision}/decide"));
    decide.json(json!({ "granted": false, "reason": WORDS })).expect(204).await;
    assert!(found(&home, WORDS) > 5, "it is there before");
    let cookie = server.sign_in(&person.phone, &person.password).await;
    let code = server.api("POST", "/me/codes").cookie(&cookie).json(json!({})).expect(202).await;
    let body = json!({ "code": code.member("demo_code") });
    server.api("POST", "/me/delete").cookie(&cookie).json(body).expect(204).await;
    assert_eq!(found(&home, WORDS), 0, "{:?}", places(&home, WORDS));
}

/// Texts of tables about people that go with the account: the row is deleted, or the text is.
const ERASED: &[&str] = &[
    "appeals",
    "block_list.reason",
    "community_days",
    "consents",
    "decisions",
    "deliveries",
    "facts",
    "fulfilments.note",
    "grants.reason",
    "invite_codes",
    "notification_groups",
    "notification_mutes",
    "notification_switches",
    "notifications",
    "orders.note",
    "play_commands.note",
    "points_rows.reason",
    "reports.text",
    "sessions",
    "shop_orders.note",
    "users",
];

/// Those that stay, each with the reason.
const KEPT: &[(&str, &str)] = &[
    (
        "behaviours",
        "what was done and under which id, so that it does not count twice; no words about anybody",
    ),
    ("block_list.added_by", "who blocked"),
    (
        "dead_letters",
        "deleted where a receiver is told of the person; the rest are names of steps and numbers",
    ),
    ("former_accounts.labels", "risk labels outlive the account for a set time, under a keyed hash"),
    ("fulfilments", "the state of a prize, and of which parcel"),
    ("grants", "what was given for which behaviour, once"),
    ("orders", "state and currency of what was bought"),
    ("outbox", "what still waits is told all the same"),
    ("play_commands.kind", "the name of a step"),
    ("points_rows", "the statement still adds up"),
    ("social_acts", "the kind of an act towards others, by number, so that it does not count twice"),
    ("reports.reason", "one of a list; that it was reported stays"),
    ("shop_orders", "state and name of what was bought"),
];

/// A new text about people is erased with the account (`store/src/steps/deletion.rs` and `erasure.rs`, and a request in the
/// test above), or kept for a reason.
#[tokio::test]
async fn every_text_about_a_person_is_erased_or_kept_for_a_reason() {
    let home = Home::new();
    drop(home.start("serve").await);
    let db = home.database();
    let mut found = db
        .prepare(
            "SELECT t.name, t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND c.type = 'TEXT'
               AND (t.name = 'users' OR EXISTS (SELECT 1 FROM pragma_table_info(t.name) u WHERE u.name = 'user_id'))",
        )
        .unwrap();
    let found: Vec<(String, String)> =
        found.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    let known: Vec<&str> = ERASED.iter().copied().chain(KEPT.iter().map(|(name, _)| *name)).collect();
    let covers = |name: &str, (table, column): &(String, String)| name == table || name == column;
    let unknown: Vec<_> = found
        .iter()
        .filter(|place| !known.iter().any(|name| covers(name, place)))
        .map(|(_, column)| column)
        .collect();
    assert!(unknown.is_empty(), "erased with the account, or kept for which reason? {unknown:?}");
    let stale: Vec<_> = known.iter().filter(|name| !found.iter().any(|place| covers(name, place))).collect();
    assert!(stale.is_empty(), "there is no such text any more: {stale:?}");
}

/// Rows with the words in them, in every table.
fn places(home: &Home, words: &str) -> Vec<(String, i64)> {
    let db = home.database();
    let names: Vec<String> = {
        let mut all = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
        let names = all.query_map([], |row| row.get::<_, String>(0)).unwrap();
        names.map(Result::unwrap).collect()
    };
    let mut places = Vec::new();
    for name in names {
        let columns: Vec<String> = {
            let mut all = db
                .prepare(&format!("SELECT name FROM pragma_table_info('{name}') WHERE type = 'TEXT'"))
                .unwrap();
            let columns = all.query_map([], |row| row.get::<_, String>(0)).unwrap();
            columns.map(Result::unwrap).collect()
        };
        for column in columns {
            let sql = format!("SELECT COUNT(*) FROM {name} WHERE {column} LIKE '%{words}%'");
            let count: i64 = db.query_row(&sql, [], |row| row.get(0)).unwrap();
            if count > 0 {
                places.push((format!("{name}.{column}"), count));
            }
        }
    }
    places
}

fn found(home: &Home, words: &str) -> i64 {
    places(home, words).iter().map(|(_, count)| count).sum()
}
