//! Secrets: committed to before the first draw, sealed in the database, and told by no route before the round is over.

use serde_json::{Value, json};

use super::fixtures::{Crew, running};
use crate::backend::settled;
use crate::process::{Home, shared};

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn sealed(home: &Home, id: &str) -> Vec<u8> {
    let sql = "SELECT sealed FROM activity_secrets WHERE activity_id = ?1 AND round = 1";
    home.database().query_row(sql, [id.parse::<i64>().unwrap()], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_secret_is_told_when_its_round_is_over_and_not_before() {
    let (home, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.publish(running()).await;
    let path = format!("/activities/{id}/secrets");
    let published = server.api("GET", &path).expect(200).await.items();
    assert_eq!(published.len(), 1);
    let detail = crew.get(&format!("/activities/{id}")).expect(200).await.json();
    assert_eq!(published[0]["strategy_hash"], detail["live"]["strategy_hash"]);
    let before = sealed(home, &id);

    // Whoever asks for whatever while it runs: the secret is nowhere.
    let admin = server.person(&["admin"]).await;
    crew.step(&id, "pause").expect(200).await;
    crew.step(&id, "resume").expect(200).await;
    let run = || server.console("POST", "/admin/jobs/activities/run");
    run().expect(202).await;
    let mut told = Vec::new();
    for path in [
        path.clone(),
        format!("/activities/{id}"),
        format!("/activities/{id}/versions/1"),
        "/admin/audit".to_owned(),
    ] {
        told.push(server.by(&admin, "GET", &path).expect(200).await.text());
    }
    assert!(told[0].contains("commitment") && !told[0].contains("\"secret\""));

    crew.step(&id, "close").expect(200).await;
    let revealed = || server.api("GET", &path);
    let answer = settled(revealed, |answer| answer.items()[0].get("secret").is_some()).await;
    let item = &answer.items()[0];
    let secret = bytes(&item["secret"]);
    let digest = ring::digest::digest(&ring::digest::SHA256, &secret);
    assert_eq!(digest.as_ref(), bytes(&published[0]["commitment"]), "it is the one that was committed to");
    assert_eq!(item["commitment"], published[0]["commitment"]);
    let hex = item["secret"].as_str().unwrap();
    assert!(told.iter().all(|text| !text.contains(hex)));
    assert!(!before.windows(32).any(|window| window == secret), "the database has it sealed");
    assert!(!server.log().contains(hex));

    // Another round has another secret, and that one is not told.
    crew.step(&id, "reopen").expect(200).await;
    let items = server.api("GET", &path).expect(200).await.items();
    assert_eq!((&items[1]["round"], items[1].get("secret")), (&json!(2), None));
    assert_ne!(items[0]["commitment"], items[1]["commitment"]);
}
