//! The hot list: by pin and score, paged over a snapshot.

use std::collections::BTreeSet;

use serde_json::json;

use super::fixtures::*;
use crate::process::Home;

#[tokio::test]
async fn a_list_by_score_neither_repeats_nor_skips_while_scores_move() {
    let (home, now) = Home::with_still_clock(&[]);
    let server = home.demo().await;
    let (ann, bob, eve) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    let mut made = Vec::new();
    for _ in 0..6 {
        made.push(post(&server, &ann).await);
    }
    let vote = |who, id: &str| server.by(who, "PUT", &format!("/posts/{id}/vote")).expect(200);
    vote(&bob, &made[0]).await;
    let hot = |query: &str| server.by(&bob, "GET", &format!("/posts/hot?limit=2{query}"));
    let first = hot("").expect(200).await;
    let shown = |answer: &crate::client::Answer| -> Vec<String> {
        answer.items().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(shown(&first), [made[0].clone(), made[5].clone()]);
    // What was last becomes the first, and one that was not seen yet goes.
    for who in [&bob, &eve] {
        vote(who, &made[1]).await;
    }
    server.by(&ann, "DELETE", &format!("/posts/{}", made[4])).expect(204).await;
    let next = |answer: &crate::client::Answer| format!("&after={}", answer.member("next"));
    let second = hot(&next(&first)).expect(200).await;
    assert_eq!(shown(&second), [made[3].clone(), made[2].clone()]);
    // Then what was last, and what others wrote before, each once.
    let (mut rest, mut page) = (Vec::new(), second);
    while page.json()["next"].is_string() {
        page = hot(&next(&page)).expect(200).await;
        rest.extend(shown(&page));
    }
    assert_eq!(rest[0], made[1]);
    let others: BTreeSet<&String> = rest[1..].iter().collect();
    assert_eq!(others.len(), rest.len() - 1, "{rest:?}");
    assert!(made.iter().all(|post| !others.contains(post)), "{rest:?}");
    home.clock_at(now + 11_000);
    assert_eq!(shown(&hot("").expect(200).await)[0], made[1], "a new list");
    hot(&next(&first)).expect(200).await;
    home.clock_at(now + 31 * 60_000);
    hot(&next(&first)).refused(410, "snapshot_expired").await;
    let judge = server.person(&["moderator"]).await;
    let pin = json!({ "act": "pin", "reason": "read this" });
    server.by(&judge, "POST", &format!("/admin/posts/{}/moderate", made[2])).json(pin).expect(200).await;
    assert_eq!(shown(&hot("").expect(200).await)[0], made[2]);
}
