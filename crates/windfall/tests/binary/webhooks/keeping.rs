//! Subscriptions as admins keep them.

use serde_json::json;

use super::receiver::{Does, Receiver};
use super::{attempts, given, ping, subscribe};
use crate::activities::fixtures::now_ms;
use crate::process::{Home, shared};

#[tokio::test]
async fn private_addresses_are_refused_unless_they_are_allowed() {
    let home = Home::with(&[("WINDFALL__WEBHOOKS__ALLOW_PRIVATE", "false")]);
    let server = home.start("serve").await;
    let receiver = Receiver::start().await;
    let (hook, _) = subscribe(&server, "https://example.com/hook", &["win.made"]).await;
    for url in [
        receiver.url(),
        format!("http://localhost:{}/hook", receiver.address().rsplit(':').next().unwrap()),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "http://[::ffff:127.0.0.1]/".to_owned(),
        "http://2130706433/".to_owned(),
    ] {
        let refused = (400, "webhook_address_private");
        server.console("POST", "/webhooks").json(given(&url, &["*"])).refused(refused.0, refused.1).await;
        let path = format!("/webhooks/{hook}");
        server.console("PATCH", &path).json(json!({ "url": url })).refused(refused.0, refused.1).await;
    }
    for (body, field) in [
        (given("ftp://example.com", &["*"]), "url"),
        (given("https://example.com", &["win"]), "kinds"),
        (given("https://example.com", &[]), "kinds"),
    ] {
        let answer = server.console("POST", "/webhooks").json(body).refused(400, "invalid_field").await;
        assert_eq!(answer.json()["field"], field);
    }
    assert_eq!(receiver.seen().len(), 0);
    server.stop().await;
}

#[tokio::test]
async fn two_secrets_sign_while_a_receiver_moves_from_one_to_the_other() {
    let (_, server) = shared().await;
    let receiver = Receiver::start().await;
    let (hook, first) = subscribe(server, &receiver.url(), &["webhook.test"]).await;
    let rotate = async |hours: i64| {
        let path = format!("/webhooks/{hook}/rotate");
        server
            .console("POST", &path)
            .json(json!({ "overlap_hours": hours }))
            .expect(200)
            .await
            .member("secret")
    };
    let mut taken = 0;
    let mut signed = async |secrets: [&str; 3]| {
        ping(server, &hook).await;
        taken += 1;
        let seen = receiver.took(taken).await.pop().unwrap();
        secrets.map(|secret| seen.is_signed_with(secret))
    };
    assert_eq!(signed([&first, "-", "-"]).await, [true, false, false]);
    let second = rotate(1).await;
    assert_eq!(signed([&first, &second, "-"]).await, [true, true, false]);
    let third = rotate(0).await;
    assert_eq!(signed([&first, &second, &third]).await, [false, false, true], "no overlap was asked for");
    let shown = server.console("GET", &format!("/webhooks/{hook}")).expect(200).await.text();
    assert!([&first, &second, &third].iter().all(|secret| !shown.contains(*secret)), "{shown}");
}

#[tokio::test]
async fn a_delivery_is_replayed_under_its_id() {
    let (_, server) = shared().await;
    let receiver = Receiver::start().await;
    let (hook, _) = subscribe(server, &receiver.url(), &["webhook.test"]).await;
    let from = now_ms();
    let delivery = ping(server, &hook).await;
    attempts(server, &hook, &delivery, "done").await;
    let replay = format!("/webhooks/{hook}/deliveries/{delivery}/replay");
    server.console("POST", &replay).expect(202).await;
    let taken = receiver.took(2).await;
    assert_eq!([taken[0].delivery(), taken[1].delivery()], [delivery.clone(), delivery.clone()]);
    assert_eq!(taken[0].body, taken[1].body);

    let other = ping(server, &hook).await;
    attempts(server, &hook, &other, "done").await;
    let all = format!("/webhooks/{hook}/replay");
    let range = json!({ "from_ms": from, "until_ms": now_ms() + 1 });
    let replayed = server.console("POST", &all).json(range).expect(202).await.json();
    assert_eq!(replayed["more"], json!(false));
    receiver.took_of(&other, 2).await;
    let backwards = json!({ "from_ms": 2, "until_ms": 1 });
    server.console("POST", &all).json(backwards).refused(400, "invalid_field").await;

    server.console("POST", &format!("/webhooks/{hook}/off")).expect(200).await;
    server.console("POST", &replay).refused(409, "webhook_is_off").await;
    server.console("POST", &format!("/webhooks/{hook}/test")).refused(409, "webhook_is_off").await;
    server.console("DELETE", &format!("/webhooks/{hook}")).expect(204).await;
    server.console("POST", &replay).refused(404, "not_found").await;
}

#[tokio::test]
async fn what_waits_for_a_webhook_that_is_off_arrives_when_it_is_on_again() {
    let (_, server) = shared().await;
    let receiver = Receiver::doing(&[Does::Status(500)], Does::Take).await;
    let (hook, _) = subscribe(server, &receiver.url(), &["webhook.test"]).await;
    let delivery = ping(server, &hook).await;
    attempts(server, &hook, &delivery, "again").await;
    let off = server.console("POST", &format!("/webhooks/{hook}/off")).expect(200).await.json();
    assert_eq!((&off["on"], &off["off_why"]), (&json!(false), &json!("by_hand")));
    let on = server.console("POST", &format!("/webhooks/{hook}/on")).expect(200).await.json();
    assert_eq!((&on["on"], &on["failures"]), (&json!(true), &json!(0)));
    let taken = receiver.took(1).await;
    assert_eq!(taken[0].delivery(), delivery);
}
