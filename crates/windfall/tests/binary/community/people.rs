//! Who follows and blocks whom.

use serde_json::json;

use super::fixtures::*;
use crate::process::shared;

#[tokio::test]
async fn following_counts_on_both_sides() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let path = format!("/users/{}/follow", bob.id);
    for _ in 0..2 {
        let relation = server.by(&ann, "PUT", &path).expect(200).await.json();
        let expected = json!({ "following": true, "follows_me": false, "blocked": false, "followers": 1 });
        assert_eq!(relation, expected);
    }
    let seen = server.by(&ann, "GET", &format!("/members/{}", bob.id)).expect(200).await.json();
    assert_eq!((&seen["followers"], &seen["relation"]["following"]), (&json!(1), &json!(true)));
    let me = server.by(&ann, "GET", "/me").expect(200).await.json();
    assert_eq!(me["following"], json!(1));
    let followers = format!("/users/{}/followers", bob.id);
    assert_eq!(
        ids(|query| server.api("GET", &format!("{followers}{query}"))).await,
        std::slice::from_ref(&ann.id)
    );
    let following = format!("/users/{}/following", ann.id);
    assert_eq!(
        ids(|query| server.api("GET", &format!("{following}{query}"))).await,
        std::slice::from_ref(&bob.id)
    );
    for _ in 0..2 {
        assert_eq!(server.by(&ann, "DELETE", &path).expect(200).await.json()["followers"], json!(0));
    }
    server.by(&ann, "PUT", &format!("/users/{}/follow", ann.id)).refused(409, "yourself").await;
    server.by(&ann, "PUT", "/users/7/follow").refused(404, "not_found").await;
}

#[tokio::test]
async fn a_block_hides_both_ways_and_changes_no_count() {
    let (_, server) = shared().await;
    let (ann, bob, eve) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    let (by_ann, by_bob) = (post(server, &ann).await, post(server, &bob).await);
    server.by(&bob, "PUT", &format!("/posts/{by_ann}/like")).expect(200).await;
    server.by(&bob, "PUT", &format!("/users/{}/follow", ann.id)).expect(200).await;
    let block = format!("/users/{}/block", bob.id);
    for _ in 0..2 {
        assert_eq!(server.by(&ann, "PUT", &block).expect(200).await.json()["blocked"], json!(true));
    }
    server.by(&ann, "GET", &format!("/posts/{by_bob}")).refused(404, "not_found").await;
    server.by(&bob, "GET", &format!("/posts/{by_ann}")).refused(404, "not_found").await;
    server.by(&bob, "GET", &format!("/members/{}", ann.id)).refused(404, "not_found").await;
    server.by(&bob, "PUT", &format!("/users/{}/follow", ann.id)).refused(404, "not_found").await;
    server.by(&ann, "PUT", &format!("/users/{}/follow", bob.id)).refused(409, "blocked_by_you").await;
    assert_eq!(
        ids(|query| server.by(&ann, "GET", &format!("/me/blocks{query}"))).await,
        std::slice::from_ref(&bob.id)
    );
    let seen = server.by(&eve, "GET", &format!("/posts/{by_ann}")).expect(200).await.json();
    assert_eq!(seen["likes"], json!(1), "others see what they saw");
    let likers = |who| server.by(who, "GET", &format!("/posts/{by_ann}/likes")).expect(200);
    assert_eq!((likers(&eve).await.items().len(), likers(&ann).await.items().len()), (1, 0));
    server.by(&ann, "DELETE", &block).expect(200).await;
    server.by(&bob, "GET", &format!("/posts/{by_ann}")).expect(200).await;
}

#[tokio::test]
async fn whoever_only_plays_is_known_by_a_first_character() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let name = json!({ "name": "Annabel" });
    server.by(&ann, "PATCH", "/me").json(name).expect(200).await;
    let shown =
        || async { server.by(&bob, "GET", &format!("/members/{}", ann.id)).expect(200).await.member("name") };
    assert!(!shown().await.contains("nnabel"));
    post(server, &ann).await;
    assert_eq!(shown().await, "Annabel");
}

#[tokio::test]
async fn a_deleted_account_leaves_posts_by_nobody() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    let code = server.my_code(&ann, None).await;
    server.by(&ann, "POST", "/me/delete").json(json!({ "code": code })).expect(204).await;
    let left = server.by(&bob, "GET", &format!("/posts/{id}")).expect(200).await.json();
    assert_eq!((&left["author"], &left["title"]), (&json!(null), &json!("Snow")));
    server.by(&bob, "GET", &format!("/members/{}", ann.id)).refused(404, "not_found").await;
}
