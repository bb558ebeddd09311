//! Reminders: asked for, told once before the start, dropped.

use serde_json::json;

use super::fixtures::*;
use crate::activities::fixtures::{Crew, running};
use crate::backend::settled;
use crate::process::{Home, shared};

#[tokio::test]
async fn whoever_asks_is_reminded_until_it_starts() {
    let (_, server) = shared().await;
    let (crew, ann) = (Crew::new(server).await, server.person(&[]).await);
    let (soon, now) = (crew.publish(coming()).await, crew.publish(running()).await);
    let ask = |method: &str, id: &str| server.by(&ann, method, &format!("/activities/{id}/reminder"));
    for _ in 0..2 {
        ask("PUT", &soon).expect(204).await;
    }
    ask("PUT", &now).refused(409, "reminder_late").await;
    crew.step(&now, "close").expect(200).await;
    ask("PUT", &now).refused(409, "ended").await;
    let draft = crew.write(coming()).await;
    for unknown in [draft.as_str(), "7"] {
        ask("PUT", unknown).refused(404, "not_found").await;
    }
    let mine = server.by(&ann, "GET", "/me/reminders").expect(200).await.items();
    assert_eq!(mine.len(), 1);
    for (field, expected) in [
        ("activity", json!(soon)),
        ("kind", json!("sale")),
        ("state", json!("approved")),
        ("told", json!(false)),
    ] {
        assert_eq!(mine[0][field], expected, "{field}");
    }
    ask("DELETE", &soon).expect(204).await;
    ask("DELETE", &soon).refused(404, "not_found").await;
    assert!(server.by(&ann, "GET", "/me/reminders").expect(200).await.items().is_empty());
}

/// Two hours before, so that nobody has to wait for the start.
#[tokio::test]
async fn the_job_tells_of_a_start() {
    let home = Home::new();
    let server = home.demo().await;
    let (ann, admin) = (server.person(&[]).await, server.person(&["admin"]).await);
    let sale = published(&server, coming()).await;
    server.by(&ann, "PUT", &format!("/activities/{sale}/reminder")).expect(204).await;
    let early = json!({ "parameters": { "minutes_before": 120 } });
    server.by(&admin, "PATCH", "/admin/jobs/reminders").json(early).expect(200).await;
    server.by(&admin, "POST", "/admin/jobs/reminders/run").expect(202).await;
    let mine = || server.by(&ann, "GET", "/me/reminders");
    settled(mine, |answer| answer.items().first().is_some_and(|one| one["told"] == true)).await;
}
