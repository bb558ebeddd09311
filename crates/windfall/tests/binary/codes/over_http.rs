//! Pools and imports over the API, and who sees a code.

use serde_json::{Value, json};

use super::{given, import, pool};
use crate::people::fresh_external;
use crate::process::{Home, shared};

#[tokio::test]
async fn an_import_says_what_became_of_every_line() {
    let (_, server) = shared().await;
    let (one, two, x) = (pool(server).await, pool(server).await, fresh_external());
    let told = |answer: Value| {
        let names = ["added", "already", "already_lines", "repeated", "repeated_lines"];
        let mut told: Vec<Value> = names.iter().map(|name| answer[*name].clone()).collect();
        told.push(answer["pool"]["left"].clone());
        Value::Array(told)
    };
    let text = format!("{x}-a\n{x}-b \r\n{x}-a\n");
    let first = import(server, &one, &text).await.json();
    assert_eq!(told(first), json!([2, 0, [], 1, [{ "line": 3, "first_line": 1 }], 2]));
    let again = import(server, &one, &text).await.json();
    assert_eq!(told(again), json!([0, 2, [1, 2], 1, [{ "line": 3, "first_line": 1 }], 2]), "nothing new");
    let sheet = format!("code\n\"{x}-b\"\n\"{x},c\"\n");
    let call = server.console("POST", &format!("/code-pools/{two}/codes"));
    let other = call.header("content-type", "text/csv; charset=utf-8").body(sheet).expect(200).await.json();
    assert_eq!(
        told(other),
        json!([1, 1, [2], 0, [], 1]),
        "a code is in one pool, whichever it came to first"
    );

    let found = server.console("GET", &format!("/code-pools/{one}")).expect(200).await.json();
    assert_eq!((&found["imported"], &found["given"], &found["left"]), (&json!(2), &json!(0), &json!(2)));
    assert_eq!(found["low_below"], 100);
}

#[tokio::test]
async fn a_wrong_line_keeps_all_others_out_and_is_named() {
    let (_, server) = shared().await;
    let (pool, x) = (pool(server).await, fresh_external());
    let call = server.console("POST", &format!("/code-pools/{pool}/codes"));
    let text = format!("{x}-a\n\n{x}\u{7}\n");
    let refused = call.header("content-type", "text/plain").body(text).refused(422, "flawed").await.json();
    let fields: Vec<&Value> =
        refused["problems"].as_array().unwrap().iter().map(|flaw| &flaw["field"]).collect();
    assert_eq!(fields, ["lines.2", "lines.3"]);
    assert_eq!(import(server, &pool, &format!("{x}-a")).await.json()["added"], 1, "it had not been added");
}

#[tokio::test]
async fn pools_are_made_once_and_listed_in_pages() {
    let home = Home::new();
    let server = home.demo().await;
    let ann = server.person(&["operator"]).await;
    let make = |name: &str, key: &str| {
        let call = server.by(&ann, "POST", "/code-pools").header("idempotency-key", key);
        call.json(json!({ "name": name, "low_below": 7 }))
    };
    let tea = make("tea", "1").expect(201).await;
    assert_eq!(make("tea", "1").expect(201).await.json(), tea.json(), "the same again");
    make("tea", "2").refused(409, "code_pool_exists").await;
    make("cup", "3").expect(201).await;
    let first = server.by(&ann, "GET", "/code-pools?limit=1").expect(200).await;
    let next = first.member("next");
    let rest = server.by(&ann, "GET", &format!("/code-pools?limit=2&after={next}")).expect(200).await;
    let names: Vec<Value> =
        [first.items(), rest.items()].concat().iter().map(|pool| pool["name"].clone()).collect();
    // The oldest is the demo's own.
    assert_eq!(names[..2], [json!("cup"), json!("tea")]);
    assert_eq!((names.len(), &rest.json()["next"]), (3, &Value::Null));
    let named = server.by(&ann, "GET", "/code-pools?name=tea").expect(200).await.items();
    assert_eq!(named, [tea.json()]);
}

#[tokio::test]
async fn an_operator_sees_a_code_and_is_named_for_it() {
    let (_, server) = shared().await;
    let (ann, code) = (server.person(&["operator"]).await, fresh_external());
    let id = given(server, &code).await;
    let look = |rest: &str| server.by(&ann, "GET", &format!("/fulfilments/{id}/code{rest}"));
    look("").refused(400, "invalid_field").await;
    assert_eq!(look("?reason=lost%20it").expect(200).await.json(), json!({ "code": code }));
    let lines =
        server.console("GET", &format!("/admin/audit?subject=fulfilment:{id}")).expect(200).await.items();
    let told: Vec<(&Value, &Value, &Value)> =
        lines.iter().map(|line| (&line["action"], &line["reason"], &line["actor"]["id"])).collect();
    assert_eq!(told, [(&json!("code.look"), &json!("lost it"), &json!(ann.id))]);
}

/// The folder has no code in the clear, and after a new key nothing that the old one opens.
#[tokio::test]
async fn codes_are_encrypted_and_follow_the_key() {
    let home = Home::new();
    let server = home.demo().await;
    let id = given(&server, "TEA-7H2K-9QXF").await;
    assert!(server.stop().await.success());
    for file in std::fs::read_dir(home.data()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(9).any(|part| part == b"7H2K-9QXF"));
    }
    let key = |home: &Home| -> u8 {
        let sealed = home.database().query_row("SELECT sealed FROM code_chunks", [], |row| row.get(0));
        let sealed: Vec<u8> = sealed.unwrap();
        sealed[0]
    };
    assert_eq!(key(&home), 1);
    home.run(&["admin", "rotate-encryption-key"]).ok();
    assert_eq!(key(&home), 2);
    let server = home.demo().await;
    let code =
        server.console("GET", &format!("/fulfilments/{id}/code?reason=x")).expect(200).await.member("code");
    assert_eq!(code, "TEA-7H2K-9QXF");
    let pool = pool(&server).await;
    assert_eq!(import(&server, &pool, "TEA-7H2K-9QXF").await.json()["already"], 1, "it is known as before");
}
