//! What two people write to each other, over HTTP, and that nobody else reads it.

use serde_json::json;

use crate::process::{Home, shared};

#[tokio::test]
async fn two_people_write_to_each_other() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let (to_bob, to_ann) = (format!("/users/{}/messages", bob.id), format!("/users/{}/messages", ann.id));
    let send = || server.by(&ann, "POST", &to_bob).header("idempotency-key", &ann.id);
    for _ in 0..2 {
        let sent = send().json(json!({ "text": "Hello\nBob" })).expect(201).await.json();
        assert_eq!(
            (&sent["n"], &sent["mine"], &sent["text"]),
            (&json!(1), &json!(true), &json!("Hello\nBob"))
        );
    }
    let second = server.by(&ann, "POST", &to_bob).json(json!({ "text": "Are you there?" }));
    second.refused(409, "answer_awaited").await;
    let conversations = server.by(&bob, "GET", "/me/conversations").expect(200).await.items();
    assert_eq!((conversations.len(), &conversations[0]["unread"]), (1, &json!(1)));
    assert_eq!(conversations[0]["person"]["id"], json!(ann.id));
    assert_eq!(server.by(&bob, "GET", "/me/unread").expect(200).await.json()["messages"], json!(1));
    server.by(&bob, "POST", &format!("{to_ann}/read")).json(json!({ "until": 1 })).expect(204).await;
    assert_eq!(server.by(&bob, "GET", "/me/unread").expect(200).await.json()["messages"], json!(0));
    server.by(&bob, "POST", &to_ann).json(json!({ "text": "Yes" })).expect(201).await;
    let page = server.by(&ann, "GET", &to_bob).expect(200).await.json();
    let texts: Vec<_> = page["items"].as_array().unwrap().iter().map(|one| one["text"].clone()).collect();
    assert_eq!((texts, &page["read_by_other"]), (vec![json!("Yes"), json!("Hello\nBob")], &json!(1)));
    let later = server.by(&ann, "GET", &format!("{to_bob}?after=1")).expect(200).await.json();
    assert_eq!(later["items"].as_array().unwrap().len(), 1);
    let other = server.person(&[]).await;
    let more =
        server.by(&ann, "POST", &format!("/users/{}/messages", other.id)).json(json!({ "text": "Hi" }));
    more.refused(429, "conversations_full").await;
}

/// A conversation has no address of its own: whoever asks is one of its two people. Neither staff nor keys have a way in, and
/// the database and the log have no words of it.
#[tokio::test]
async fn hole_63_nobody_reads_a_conversation_of_others() {
    const WORDS: &str = "unmistakable-words";
    let home = Home::new();
    let server = home.demo().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let (eve, admin) = (server.person(&[]).await, server.person(&["admin", "moderator"]).await);
    let to_bob = format!("/users/{}/messages", bob.id);
    server.by(&ann, "POST", &to_bob).json(json!({ "text": WORDS })).expect(201).await;
    for other in [&eve, &admin] {
        for path in [to_bob.clone(), format!("/users/{}/messages", ann.id)] {
            let found = server.by(other, "GET", &path).expect(200).await;
            assert!(!found.text().contains(WORDS), "{path}");
            assert_eq!(found.json()["items"], json!([]), "{path}");
        }
        assert!(server.by(other, "GET", "/me/conversations").expect(200).await.items().is_empty());
    }
    for scope in ["play", "read", "admin"] {
        let key = server.new_key(&[scope]).await;
        server.api("GET", &to_bob).key(&key.secret).refused(403, "people_only").await;
        server.api("GET", "/me/conversations").key(&key.secret).refused(403, "people_only").await;
    }
    let seen = server.by(&bob, "GET", &format!("/users/{}/messages", ann.id)).expect(200).await;
    assert!(seen.text().contains(WORDS), "its recipient reads it");
    server.stop().await;
    for file in ["windfall.db", "windfall.db-wal"] {
        let Ok(bytes) = std::fs::read(home.data().join(file)) else { continue };
        assert!(!bytes.windows(WORDS.len()).any(|part| part == WORDS.as_bytes()), "readable in {file}");
    }
    assert!(!home.log().contains(WORDS));
}
