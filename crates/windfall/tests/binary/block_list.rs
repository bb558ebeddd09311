//! An activity's block list over the API: imported in pieces that may be repeated, paged, taken back.

use serde_json::{Value, json};

use crate::activities::fixtures::running;
use crate::people::fresh_external;
use crate::process::{Server, shared};

/// An activity to have a list of.
pub async fn activity(server: &Server) -> String {
    let author = server.person(&["operator"]).await;
    server.by(&author, "POST", "/activities").json(running()).expect(201).await.member("id")
}

/// One of the company's own users; answers its id of the account.
async fn known(server: &Server, external: &str) -> String {
    let key = server.new_key(&["play"]).await;
    let me = server.api("GET", "/me").key(&key.secret).header("windfall-user", external).expect(200).await;
    me.member("id")
}

#[tokio::test]
async fn an_import_says_what_became_of_everybody() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let (one, shop) = (server.person(&[]).await.id, fresh_external());
    let account = known(server, &shop).await;
    let path = format!("/activities/{}/block-list", activity(server).await);
    let import = |body: Value| server.by(&ann, "POST", &path).json(body);
    let users =
        json!({ "users": [one, one, "404", "abc"], "external_ids": [shop, "nobody"], "reason": "scripted" });
    let told = import(users.clone()).expect(200).await.json();
    assert_eq!(
        told,
        json!({
            "added": 2, "already": 0, "duplicates": [{ "user_id": one }],
            "unknown": [{ "user_id": "404" }, { "user_id": "abc" }, { "external_id": "nobody" }],
        })
    );
    let again = import(users).expect(200).await.json();
    assert_eq!(
        (&again["added"], &again["already"]),
        (&json!(0), &json!(2)),
        "the same again changes nothing"
    );
    let two = server.person(&[]).await.id;
    let sheet = json!({ "csv": format!("user_id\r\n{two}\r\n{account}\r\n"), "reason": "from the sheet" });
    let told = import(sheet).expect(200).await.json();
    assert_eq!((&told["added"], &told["already"]), (&json!(1), &json!(1)));

    let rows = server.by(&ann, "GET", &path).expect(200).await.items();
    let reason =
        |id: &str| rows.iter().find(|row| row["user_id"] == json!(id)).map(|row| row["reason"].clone());
    assert_eq!(rows.len(), 3);
    for (id, expected) in [(&one, "scripted"), (&account, "scripted"), (&two, "from the sheet")] {
        assert_eq!(reason(id), Some(json!(expected)), "the first reason stays");
    }
    let external = rows.iter().find(|row| row["user_id"] == json!(account)).unwrap();
    assert_eq!((&external["external_id"], &external["added_by"]["id"]), (&json!(shop), &json!(ann.id)));
}

#[tokio::test]
async fn the_list_has_pages_and_people_leave_it() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let mut people = Vec::new();
    for _ in 0..3 {
        people.push(server.person(&[]).await.id);
    }
    let path = format!("/activities/{}/block-list", activity(server).await);
    let body = json!({ "users": people, "reason": "scripted" });
    server.by(&ann, "POST", &path).json(body).expect(200).await;
    let first = server.by(&ann, "GET", &format!("{path}?limit=2")).expect(200).await;
    let next = first.member("next");
    let rest = server.by(&ann, "GET", &format!("{path}?limit=2&after={next}")).expect(200).await;
    let ids = [first.items(), rest.items()].concat();
    let mut ids: Vec<_> = ids.iter().map(|row| row["user_id"].as_str().unwrap().to_owned()).collect();
    ids.reverse();
    assert_eq!((ids, &rest.json()["next"]), (people.clone(), &Value::Null));

    let one = format!("{path}/{}", people[0]);
    server.by(&ann, "DELETE", &one).expect(204).await;
    server.by(&ann, "DELETE", &one).refused(404, "not_found").await;
    assert_eq!(server.by(&ann, "GET", &path).expect(200).await.items().len(), 2);
}

/// The same file again changes nothing; who is not known is told, and everybody else is added.
#[tokio::test]
async fn a_file_is_imported_from_the_command_line() {
    let (home, server) = shared().await;
    let activity = activity(server).await;
    let (one, two) = (server.person(&[]).await.id, server.person(&[]).await.id);
    let file = home.path().join(format!("block-list-{activity}.csv"));
    let import = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        home.run(&["activity", "block-list", "import", &activity, file, "--reason", "scripted"])
    };
    let text = format!("user_id\n{one}\n{two}\n{one}\n");
    assert_eq!(import(&text).ok(), "2 added, 0 already on the list, 1 repeated, 0 unknown");
    assert_eq!(import(&text).ok(), "0 added, 2 already on the list, 1 repeated, 0 unknown");
    import("external_id\nno such user\n").refused("no such user");
    import("5\n").refused("user_id or external_id");
    let rows = server.console("GET", &format!("/activities/{activity}/block-list")).expect(200).await.items();
    assert_eq!(rows.len(), 2);
}

#[tokio::test]
async fn an_import_is_bounded() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let path = format!("/activities/{}/block-list", activity(server).await);
    let import = |users: usize| {
        let users: Vec<String> = (0..users).map(|n| format!("{n}")).collect();
        server.by(&ann, "POST", &path).json(json!({ "users": users, "reason": "scripted" }))
    };
    assert_eq!(import(5_000).expect(200).await.json()["unknown"].as_array().unwrap().len(), 5_000);
    assert_eq!(import(5_001).refused(400, "invalid_field").await.member("field"), "users");
}
