//! Versions: what is published never changes in place; what a new one changes is told before somebody decides.

use serde_json::json;

use super::fixtures::{Crew, running};
use crate::process::shared;

#[tokio::test]
async fn a_new_version_is_reviewed_beside_the_one_in_place() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut wheel = running();
    let id = crew.publish(wheel.clone()).await;
    crew.edit(&id, 1, &wheel).refused(409, "edited_meanwhile").await;
    wheel["prizes"][0]["odds"] = json!(20);
    wheel["prizes"][0]["units"] = json!(5);
    wheel["name"] = json!("Summer wheel");
    let edited = crew.edit(&id, 0, &wheel).expect(200).await.json();
    assert_eq!((&edited["version"], &edited["draft"]["version"]), (&json!(1), &json!(2)));
    assert_eq!(edited["live"]["form"]["prizes"][0]["odds"], 10);
    assert_eq!(edited["making"]["form"]["prizes"][0]["odds"], 20);

    crew.step(&id, "submit").expect(200).await;
    assert_eq!(crew.state(&id).await, "running", "the first version goes on meanwhile");
    let diff = crew.get(&format!("/activities/{id}/versions/2/diff")).expect(200).await.json();
    assert_eq!(
        diff["changes"],
        json!([
            { "field": "name", "before": "Spring wheel", "after": "Summer wheel" },
            { "field": "prizes.0.units", "before": "3", "after": "5" },
            { "field": "prizes.0.odds", "before": "10", "after": "20" },
        ])
    );
    let text = "At approval 2 are added to the pool, whatever was given or restocked in between. What was given stays given.";
    assert_eq!(diff["stock"], json!([{ "field": "prizes.0.units", "change": 2, "text": text }]));
    crew.step(&id, "approve").expect(200).await;
    let now = crew.carried(&id).await;
    assert_eq!((&now["version"], &now["name"]), (&json!(2), &json!("Summer wheel")));
    assert!(now.get("draft").is_none());
    let versions = crew.get(&format!("/activities/{id}/versions")).expect(200).await.items();
    let told: Vec<_> = versions.iter().map(|version| (&version["version"], &version["review"])).collect();
    assert_eq!(told, [(&json!(2), &json!("approved")), (&json!(1), &json!("approved"))]);
    let first = crew.get(&format!("/activities/{id}/versions/1")).expect(200).await.json();
    assert_eq!(first["form"]["prizes"][0]["odds"], 10);
    crew.get(&format!("/activities/{id}/versions/3")).refused(404, "not_found").await;

    // The difference of two units reached the pool.
    let restock = json!({ "id": "r-1", "delta": 1, "reason": "one more" });
    let path = format!("/activities/{id}/prizes/0/restock");
    for _ in 0..2 {
        let stock = server.by(&crew.author, "POST", &path).json(restock.clone()).expect(200).await.json();
        assert_eq!(stock, json!({ "total": 6, "left": 6, "given": 0 }));
    }
    let less = json!({ "id": "r-2", "delta": -7, "reason": "too many" });
    server.by(&crew.author, "POST", &path).json(less).refused(409, "not_free").await;

    // Saying the same again is no version.
    crew.edit(&id, 0, &wheel).expect(200).await;
    crew.step(&id, "submit").refused(409, "version_unchanged").await;
}

#[tokio::test]
async fn a_raffle_stays_a_raffle() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut wheel = running();
    let id = crew.publish(wheel.clone()).await;
    wheel["kind"] = json!("raffle");
    wheel["draw_at"] = wheel["until"].clone();
    wheel["prizes"] = json!([{ "name": "car", "units": 1 }]);
    crew.edit(&id, 0, &wheel).expect(200).await;
    let refused = crew.step(&id, "submit").refused(422, "flawed").await;
    assert_eq!(super::fixtures::problems(&refused), [("kind".to_owned(), "kind_changed".to_owned())]);
    crew.publish(wheel).await;
}

#[tokio::test]
async fn a_clone_leaves_state_and_secrets_behind() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.publish(running()).await;
    let path = format!("/activities/{id}/clone");
    let call = || server.by(&crew.author, "POST", &path).header("idempotency-key", "c").json(json!({}));
    let clone = call().expect(201).await;
    assert_eq!(call().expect(201).await.member("id"), clone.member("id"), "cloned once");
    let body = clone.json();
    assert_eq!(
        (&body["state"], &body["round"], &body["cloned_from"]),
        (&json!("editing"), &json!(1), &json!(id))
    );
    assert_eq!(body["name"], "Spring wheel (copy)");
    let made = clone.member("id");
    assert_eq!(clone.header("location"), format!("/api/v1/activities/{made}"));
    server.api("GET", &format!("/activities/{made}/secrets")).refused(404, "not_found").await;

    // It has pools of its own.
    crew.step(&made, "submit").expect(200).await;
    crew.step(&made, "approve").expect(200).await;
    let restock = json!({ "id": "r", "delta": 4, "reason": "more" });
    let path = format!("/activities/{made}/prizes/0/restock");
    let stock = server.by(&crew.author, "POST", &path).json(restock).expect(200).await.json();
    assert_eq!(stock["total"], 7);
    let hashes = |id: &str| server.api("GET", &format!("/activities/{id}/secrets")).expect(200);
    let (old, new) = (hashes(&id).await.items(), hashes(&made).await.items());
    assert_ne!(old[0]["commitment"], new[0]["commitment"]);
}
