//! An invitation from the link to what it is worth.

use serde_json::json;

use crate::backend::settled;
use crate::process::Home;

const DAY_MS: i64 = 86_400_000;

/// Nothing for an account that was made and left, fifty points for one that takes part, once.
#[tokio::test]
async fn an_invitation_pays_when_the_invited_person_takes_part() {
    let (home, noon) = Home::at_noon(&[("WINDFALL__CHECK_IN__MILESTONES", "")]);
    let server = &home.demo().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let made = server.by(&ann, "PUT", "/me/invites").expect(200).await.json();
    let code = made["code"].as_str().unwrap();
    assert!(made["link"].as_str().unwrap().ends_with(&format!("/invite/{code}")), "{made}");
    let name = server.api("GET", &format!("/invites/{code}")).expect(200).await.member("name");
    assert!(name.contains("**"), "masked: {name}");
    let accept = || server.by(&bob, "PUT", "/me/inviter").json(json!({ "code": code.to_lowercase() }));
    accept().expect(204).await;
    accept().expect(204).await;
    server.by(&bob, "POST", "/me/check-in").expect(200).await;
    let mine = || server.by(&ann, "GET", "/me/invites");
    let seen = mine().expect(200).await.json();
    assert_eq!((&seen["accepted"], &seen["qualified"]), (&json!(1), &json!(0)), "too new");
    for day in 1..=2 {
        home.clock_at(noon + day * DAY_MS);
        server.by(&bob, "POST", "/me/check-in").expect(200).await;
    }
    assert_eq!(mine().expect(200).await.json()["qualified"], json!(1));
    let balance = || server.by(&ann, "GET", "/me/points");
    settled(balance, |answer| answer.json()["balance"] == 50).await;
    let grants = server.by(&ann, "GET", "/me/grants").expect(200).await.items();
    assert_eq!((grants.len(), &grants[0]["behaviour"]), (1, &json!("invite")));
}
