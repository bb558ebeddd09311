//! Posts: written, read, edited, liked, voted for, judged.

use serde_json::json;

use super::fixtures::*;
use crate::process::{Home, shared};

const DAY_MS: i64 = 86_400_000;

#[tokio::test]
async fn a_post_is_published_edited_and_taken_back() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let body = json!({ "title": " Snow ", "body": "It <b>snows</b>.\r\n\n- a\n- b" });
    let made = server.by(&ann, "POST", "/posts").json(body).expect(201).await.json();
    for (field, expected) in [
        ("title", json!("Snow")),
        ("state", json!("visible")),
        ("version", json!(1)),
        ("votes", json!(1)),
        ("voted_by_me", json!(true)),
        ("likes", json!(0)),
        ("body", json!("It <b>snows</b>.\n\n- a\n- b")),
        ("excerpt", json!("It <b>snows</b>. a b")),
        ("html", json!("<p>It &lt;b&gt;snows&lt;/b&gt;.</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n")),
    ] {
        assert_eq!(made[field], expected, "{field}");
    }
    assert_eq!(made["author"]["id"], json!(ann.id));
    assert_eq!(made["score"], json!(made["published_at_ms"].as_i64().unwrap() / 1_000 + 432));
    let path = format!("/posts/{}", made["id"].as_str().unwrap());
    let edit = json!({ "version": 1, "title": "Rain", "body": "It rains." });
    server.by(&bob, "PUT", &path).json(edit.clone()).refused(404, "not_found").await;
    let edited = server.by(&ann, "PUT", &path).json(edit.clone()).expect(200).await.json();
    assert_eq!((&edited["version"], &edited["html"]), (&json!(2), &json!("<p>It rains.</p>\n")));
    assert!(edited["edited_at_ms"].is_i64());
    server.by(&ann, "PUT", &path).json(edit).refused(409, "version_stale").await;
    let seen = server.api("GET", &path).expect(200).await.json();
    assert_eq!((&seen["title"], &seen["voted_by_me"]), (&json!("Rain"), &json!(false)));
    server.by(&bob, "DELETE", &path).refused(404, "not_found").await;
    for _ in 0..2 {
        server.by(&ann, "DELETE", &path).expect(204).await;
    }
    for person in [&ann, &bob] {
        server.by(person, "GET", &path).refused(404, "not_found").await;
        server.by(person, "PUT", &format!("{path}/like")).refused(404, "not_found").await;
    }
}

#[tokio::test]
async fn the_same_key_publishes_once() {
    let (_, server) = shared().await;
    let ann = server.person(&[]).await;
    let send =
        |title: &str| server.by(&ann, "POST", "/posts").header("idempotency-key", "k").json(written(title));
    let first = send("Snow").expect(201).await.json();
    assert_eq!(send("Snow").expect(201).await.json()["id"], first["id"]);
    send("Rain").refused(409, "idempotency_conflict").await;
    let mine = ids(|query| server.by(&ann, "GET", &format!("/me/posts{query}"))).await;
    assert_eq!(mine.len(), 1);
}

#[tokio::test]
async fn lists_are_newest_first_and_pages_meet() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(post(server, &ann).await);
    }
    made.reverse();
    let of_ann = format!("/users/{}/posts", ann.id);
    assert_eq!(ids(|query| server.by(&bob, "GET", &format!("{of_ann}{query}"))).await, made);
    assert_eq!(ids(|query| server.by(&ann, "GET", &format!("/me/posts{query}"))).await, made);
    let latest = server.api("GET", "/posts?limit=100").expect(200).await.items();
    let shown: Vec<&str> = latest.iter().filter_map(|item| item["id"].as_str()).collect();
    let ours: Vec<&str> = shown.into_iter().filter(|id| made.iter().any(|one| one == id)).collect();
    assert!(
        ours.windows(2)
            .all(|pair| made.iter().position(|id| id == pair[0]) < made.iter().position(|id| id == pair[1]))
    );
}

#[tokio::test]
async fn hole_58_a_like_that_is_repeated_stays_a_like() {
    let (_, server) = shared().await;
    let (ann, bob, eve) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    let path = format!("/posts/{}/like", post(server, &ann).await);
    for (who, method, liked, likes) in [
        (&bob, "PUT", true, 1),
        (&bob, "PUT", true, 1),
        (&eve, "PUT", true, 2),
        (&bob, "DELETE", false, 1),
        (&bob, "DELETE", false, 1),
        (&eve, "PUT", true, 1),
    ] {
        let answer = server.by(who, method, &path).expect(200).await.json();
        assert_eq!(answer, json!({ "liked": liked, "likes": likes }), "{method}");
    }
    let who = server.by(&ann, "GET", &format!("{path}s")).expect(200).await.items();
    assert_eq!((who.len(), &who[0]["id"]), (1, &json!(eve.id)));
}

#[tokio::test]
async fn hole_63_the_client_names_no_owner() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    for path in
        [format!("/posts/{id}/like"), format!("/posts/{id}/vote"), format!("/users/{}/follow", ann.id)]
    {
        let named = server.by(&bob, "PUT", &path).json(json!({ "user_id": ann.id }));
        named.refused(400, "invalid_field").await;
        server.by(&bob, "PUT", &format!("{path}?user={}", ann.id)).refused(400, "invalid_field").await;
    }
    let forged = json!({ "title": "a", "body": "b", "author": ann.id });
    server.by(&bob, "POST", "/posts").json(forged).refused(400, "invalid_field").await;
    assert_eq!(server.api("GET", &format!("/posts/{id}")).expect(200).await.json()["likes"], json!(0));
}

#[tokio::test]
async fn hole_62_a_vote_after_the_deadline_changes_nothing() {
    let (home, now) = Home::with_still_clock(&[]);
    let server = home.demo().await;
    let (ann, bob, eve) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    let id = post(&server, &ann).await;
    let vote = |who| server.by(who, "PUT", &format!("/posts/{id}/vote"));
    home.clock_at(now + 7 * DAY_MS - 1);
    for _ in 0..2 {
        let answer = vote(&bob).expect(200).await.json();
        assert_eq!(answer["votes"], json!(2));
        assert_eq!(answer["score"], json!(now / 1_000 + 2 * 432));
    }
    home.clock_at(now + 7 * DAY_MS);
    vote(&eve).refused(409, "voting_over").await;
    let frozen = server.by(&eve, "GET", &format!("/posts/{id}")).expect(200).await.json();
    assert_eq!((&frozen["votes"], &frozen["voted_by_me"]), (&json!(2), &json!(false)));
}

#[tokio::test]
async fn new_accounts_do_a_tenth_and_leave_no_links() {
    let (home, now) = Home::with_still_clock(&[("WINDFALL__COMMUNITY__POSTS_DAILY_MAX", "20")]);
    let server = home.demo().await;
    let ann = server.person(&[]).await;
    let send = |body: &str| server.by(&ann, "POST", "/posts").json(json!({ "title": "a", "body": body }));
    send("[here](https://example.com)").refused(403, "links_too_soon").await;
    let linked = json!({ "title": "a", "link": "https://example.com", "body": "b" });
    server.by(&ann, "POST", "/posts").json(linked).refused(403, "links_too_soon").await;
    for _ in 0..2 {
        send("b").expect(201).await;
    }
    send("b").refused(429, "daily_cap").await;
    home.clock_at(now + DAY_MS);
    send("[here](https://example.com)").expect(201).await;
}

#[tokio::test]
async fn whoever_is_signed_out_reads_only_where_it_is_allowed() {
    let home = Home::with(&[("WINDFALL__COMMUNITY__PUBLIC", "false")]);
    let server = home.demo().await;
    let ann = server.person(&[]).await;
    let id = post(&server, &ann).await;
    for path in
        ["/posts", "/posts/hot", "/posts/featured", &format!("/posts/{id}"), &format!("/members/{}", ann.id)]
    {
        server.api("GET", path).refused(401, "unauthenticated").await;
        server.by(&ann, "GET", path).expect(200).await;
    }
}

#[tokio::test]
async fn moderators_judge_what_others_wrote() {
    let (_, server) = shared().await;
    let (ann, judge) = (server.person(&[]).await, server.person(&["moderator"]).await);
    let (id, own) = (post(server, &ann).await, post(server, &judge).await);
    let act = |id: &str, act: &str| {
        let body = json!({ "act": act, "reason": "as the rules say" });
        server.by(&judge, "POST", &format!("/admin/posts/{id}/moderate")).json(body)
    };
    act(&own, "remove").refused(403, "own_work").await;
    assert_eq!(act(&id, "feature").expect(200).await.json()["featured"], json!(true));
    let featured = server.api("GET", "/posts/featured?limit=100").expect(200).await.items();
    assert!(featured.iter().any(|item| item["id"] == json!(id)));
    assert_eq!(act(&id, "remove").expect(200).await.json()["state"], json!("removed"));
    let path = format!("/posts/{id}");
    server.api("GET", &path).refused(404, "not_found").await;
    server.by(&judge, "GET", &path).refused(404, "not_found").await;
    assert_eq!(server.by(&ann, "GET", &path).expect(200).await.json()["state"], json!("removed"));
    act(&id, "pin").refused(409, "post_hidden").await;
    let history = server.by(&judge, "GET", &format!("/admin{path}")).expect(200).await.json();
    assert_eq!(history["post"]["state"], json!("removed"));
    act(&id, "restore").expect(200).await;
    server.api("GET", &path).expect(200).await;
    let edit = json!({ "version": 1, "title": "Rain", "body": "It rains." });
    server.by(&ann, "PUT", &path).json(edit).expect(200).await;
    let history = server.by(&judge, "GET", &format!("/admin{path}")).expect(200).await.json();
    assert_eq!(history["versions"][0]["title"], json!("Snow"));
    server.by(&ann, "GET", &format!("/admin{path}")).refused(403, "forbidden").await;
}

#[tokio::test]
async fn nothing_that_is_smuggled_into_a_text_runs() {
    let (_, server) = shared().await;
    let ann = server.person(&[]).await;
    for (text, html) in [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;\n"),
        ("[a](javascript:alert(1))", "<p><a rel=\"ugc nofollow noopener\">a</a></p>\n"),
        ("![a](https://tracker.example/p.gif)", "<p><img alt=\"a\"></p>\n"),
    ] {
        let answer =
            server.by(&ann, "POST", "/posts/preview").json(json!({ "body": text })).expect(200).await;
        assert_eq!(answer.member("html"), html);
    }
}

#[tokio::test]
async fn who_is_banned_is_gone_with_their_posts_until_the_ban_ends() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    server.ban(&ann.id).await;
    for path in [format!("/posts/{id}"), format!("/members/{}", ann.id)] {
        server.by(&bob, "GET", &path).refused(404, "not_found").await;
    }
    server.by(&bob, "PUT", &format!("/posts/{id}/like")).refused(404, "not_found").await;
    assert!(server.by(&bob, "GET", &format!("/users/{}/posts", ann.id)).expect(200).await.items().is_empty());
    server.console("DELETE", &format!("/admin/users/{}/ban", ann.id)).expect(204).await;
    server.by(&bob, "GET", &format!("/posts/{id}")).expect(200).await;
}
