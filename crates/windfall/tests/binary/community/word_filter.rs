//! The word filter over HTTP: the list, what it does to every kind of text, and texts that wait for a moderator.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::client::Call;
use crate::people::{Person, fresh_password, fresh_phone};
use crate::process::{Home, Server};

/// A server with a list of one word for each action.
async fn stage(home: &Home) -> (Server, Person) {
    let server = home.demo().await;
    let judge = server.person(&["moderator"]).await;
    let set = json!([
        { "word": "赌博", "action": "reject" },
        { "word": "加群", "action": "hold" },
        { "word": "damn", "action": "mask" },
    ]);
    let body = json!({ "set": set, "reason": "the first list" });
    let made = server.by(&judge, "POST", "/admin/words").json(body).expect(200).await;
    assert_eq!(made.json(), json!({ "version": 1 }));
    (server, judge)
}

async fn moderate(server: &Server, judge: &Person, id: &str, act: &str) -> Value {
    let path = format!("/admin/posts/{id}/moderate");
    let body = json!({ "act": act, "reason": "looked at it" });
    server.by(judge, "POST", &path).json(body).expect(200).await.json()
}

#[tokio::test]
async fn the_list_is_kept_tried_and_written_down() {
    let home = Home::new();
    let (server, judge) = stage(&home).await;
    let change = |body: Value| server.by(&judge, "POST", "/admin/words").json(body);
    let version = async |body: Value| change(body).expect(200).await.json()["version"].clone();
    // The same again, in another spelling, is no change.
    let again = json!({ "set": [{ "word": "赌博", "action": "reject" }], "reason": "again" });
    assert_eq!(version(again).await, json!(1));
    let words = |query: &str| server.by(&judge, "GET", &format!("/admin/words{query}"));
    let list = words("").expect(200).await.items();
    let list: Vec<(&Value, &Value)> = list.iter().map(|one| (&one["word"], &one["action"])).collect();
    let (damn, join, bet) = (json!("damn"), json!("加群"), json!("赌博"));
    let (mask, hold, reject) = (json!("mask"), json!("hold"), json!("reject"));
    assert_eq!(list, [(&damn, &mask), (&join, &hold), (&bet, &reject)]);
    assert_eq!(words("?part=%E8%B3%AD").expect(200).await.items().len(), 1, "賭 finds 赌");
    assert_eq!(words("?action=mask").expect(200).await.items()[0]["word"], damn);
    let try_ = async |text: &str| {
        let call = server.by(&judge, "POST", "/admin/words/try").json(json!({ "text": text }));
        call.expect(200).await.json()
    };
    for (text, action, masked) in [
        ("Nothing wrong", Value::Null, "Nothing wrong"),
        ("D a m n, snow", mask, "＊ ＊ ＊ ＊, snow"),
        ("**加**_群_", hold.clone(), "**加**_群_"),
        ("賭🎲博 and damn", reject, "賭🎲博 and ＊＊＊＊"),
        // Hidden in the markup: a moderator looks at it.
        ("da&#109;n", hold.clone(), "da&#109;n"),
    ] {
        let tried = try_(text).await;
        assert_eq!(
            (&tried["action"], &tried["masked"], &tried["version"]),
            (&action, &json!(masked), &json!(1))
        );
    }
    assert_eq!(
        try_("賭🎲博").await["found"],
        json!([{ "word": "赌博", "action": "reject", "passage": "賭🎲博" }])
    );
    assert_eq!(version(json!({ "remove": ["D-A-M-N"], "reason": "harmless" })).await, json!(2));
    assert_eq!(try_("damn").await["action"], Value::Null, "at once");
    let changes = server.by(&judge, "GET", "/admin/words/changes").expect(200).await.items();
    assert_eq!(changes.len(), 4);
    let newest = &changes[0];
    assert_eq!((&newest["version"], &newest["word"], &newest["before"]), (&json!(2), &damn, &json!("mask")));
    assert_eq!((&newest["after"], &newest["moderator"]["id"]), (&Value::Null, &json!(judge.id)));
    let audit = server.console("GET", "/admin/audit?action=words.change").expect(200).await.items();
    let reasons: Vec<&Value> = audit.iter().map(|line| &line["reason"]).collect();
    assert_eq!(reasons, [&json!("harmless"), &json!("the first list")]);
    // A restart reads the list again.
    server.stop().await;
    let server = home.start("demo").await;
    let cookie = server.sign_in(&judge.phone, &judge.password).await;
    let call = server.api("POST", "/admin/words/try").cookie(&cookie).json(json!({ "text": "赌博" }));
    assert_eq!(call.expect(200).await.json()["action"], json!("reject"));
}

#[tokio::test]
async fn every_text_passes_the_filter() {
    let home = Home::new();
    let (server, _) = stage(&home).await;
    let server = &server;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    let comments = format!("/threads/post/{id}/comments");
    let write = |title: &str, body: &str| {
        server.by(&ann, "POST", "/posts").json(json!({ "title": title, "body": body }))
    };
    let say = |text: &str| server.by(&bob, "POST", &comments).json(json!({ "text": text }));
    let send = |text: &str| {
        server.by(&bob, "POST", &format!("/users/{}/messages", ann.id)).json(json!({ "text": text }))
    };
    let rename = |name: &str| server.by(&ann, "PATCH", "/me").json(json!({ "name": name }));
    let edit = |body: &str| {
        let change = json!({ "version": 1, "title": "Snow", "body": body });
        server.by(&ann, "PUT", &format!("/posts/{id}")).json(change)
    };
    let refused: [(&str, Call); 9] = [
        ("a title", write("賭.博", "b")),
        ("a text", write("a", "赌\u{200b}博")),
        ("markup", write("a", "赌&#21338;")),
        ("an edit", edit("赌 博")),
        ("a comment", say("赌博")),
        ("a message", send("赌博")),
        // Nobody may read it, so it cannot be held.
        ("a message that would be held", send("加群")),
        ("a name", rename("赌博王")),
        ("a name that would be in stars", rename("Damn")),
    ];
    for (what, call) in refused {
        let answer = call.refused(422, "words_refused").await;
        assert!(answer.text().len() < 1_000, "{what}");
    }
    let found = say("come: 赌-博!").expect(422).await.json();
    assert!(found["title"].as_str().unwrap().contains("赌-博"), "{found}");
    let masked = write("Damn", "**damn** it").expect(201).await.json();
    assert_eq!((&masked["title"], &masked["body"]), (&json!("＊＊＊＊"), &json!("**＊＊＊＊** it")));
    assert_eq!(
        (&masked["html"], &masked["state"]),
        (&json!("<p><strong>＊＊＊＊</strong> it</p>\n"), &json!("visible"))
    );
    assert_eq!(say("damn").expect(201).await.json()["text"], json!("＊＊＊＊"));
    assert_eq!(send("damn you").expect(201).await.json()["text"], json!("＊＊＊＊ you"));
    // A new account with such a name.
    let phone = fresh_phone();
    let code = server.code(&phone, "register").await;
    let register = |name: &str| {
        let body = json!({ "phone": phone, "code": code, "name": name, "password": fresh_password() });
        server.api("POST", "/auth/register").json(body)
    };
    register("赌博").refused(422, "words_refused").await;
    register("Lily").expect(201).await;
}

#[tokio::test]
async fn a_held_post_is_its_authors_until_a_moderator_releases_it() {
    let home = Home::new();
    let (server, judge) = stage(&home).await;
    let server = &server;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    server.by(&bob, "PUT", &format!("/users/{}/follow", ann.id)).expect(200).await;
    let body = json!({ "title": "Join us", "body": "来加群" });
    let made = server.by(&ann, "POST", "/posts").json(body).expect(201).await.json();
    let (id, path) = (made["id"].as_str().unwrap(), format!("/posts/{}", made["id"].as_str().unwrap()));
    assert_eq!(made["state"], json!("held"));
    let posts_of_ann = || server.by(&bob, "GET", &format!("/members/{}", ann.id));
    for call in [server.api("GET", &path), server.by(&bob, "GET", &path)] {
        call.refused(404, "not_found").await;
    }
    assert_eq!(server.by(&ann, "GET", &path).expect(200).await.json()["state"], json!("held"));
    let timeline = |query: &str| server.by(&bob, "GET", &format!("/me/timeline{query}"));
    assert_eq!(ids(timeline).await, Vec::<String>::new());
    let held = server.by(&judge, "GET", "/admin/held").expect(200).await.items();
    let fields = ["id", "on", "excerpt", "words", "thread"].map(|name| &held[0][name]);
    assert_eq!(fields, [&json!(id), &json!("post"), &json!("Join us"), &json!(["加群"]), &json!(id)]);
    assert_eq!(posts_of_ann().expect(200).await.json()["posts"], json!(0));
    for _ in 0..2 {
        assert_eq!(moderate(server, &judge, id, "restore").await["state"], json!("visible"));
    }
    assert!(server.by(&judge, "GET", "/admin/held").expect(200).await.items().is_empty());
    eventually("the follower has it", async || (ids(timeline).await == [id]).then_some(())).await;
    assert_eq!(posts_of_ann().expect(200).await.json()["posts"], json!(1));
    eventually("the author hears of it", async || {
        let heard = server.by(&ann, "GET", "/me/notifications").expect(200).await.items();
        heard.iter().any(|one| one["kind"] == "moderation" && one["state"] == "visible").then_some(())
    })
    .await;
    let audit = server.console("GET", &format!("/admin/audit?subject=post:{id}")).expect(200).await.items();
    assert_eq!(audit.iter().map(|line| &line["action"]).collect::<Vec<_>>(), [&json!("post.restore")]);
    // A comment waits the same way.
    let comments = format!("/threads/post/{id}/comments");
    let said = server.by(&bob, "POST", &comments).json(json!({ "text": "加 群" })).expect(201).await;
    assert_eq!(said.json()["state"], json!("held"));
    let count = async |reader: &Person| server.by(reader, "GET", &comments).expect(200).await.items().len();
    assert_eq!((count(&ann).await, count(&bob).await), (0, 1));
    let path = format!("/admin/comments/{}/moderate", said.member("id"));
    let release = json!({ "removed": false, "reason": "fine" });
    server.by(&judge, "POST", &path).json(release).expect(204).await;
    assert_eq!((count(&ann).await, count(&bob).await), (1, 1));
    eventually("the author of the post hears of the comment", async || {
        let heard = server.by(&ann, "GET", "/me/notifications").expect(200).await.items();
        heard.iter().any(|one| one["kind"] == "comment").then_some(())
    })
    .await;
}
