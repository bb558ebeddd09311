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
    assert!(found(&home, WORDS) > 5, "it is there before");
    let cookie = server.sign_in(&person.phone, &person.password).await;
    let code = server.api("POST", "/me/codes").cookie(&cookie).json(json!({})).expect(202).await;
    let body = json!({ "code": code.member("demo_code") });
    server.api("POST", "/me/delete").cookie(&cookie).json(body).expect(204).await;
    assert_eq!(found(&home, WORDS), 0, "{:?}", places(&home, WORDS));
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
