//! What arrives, and what a bad receiver brings about.

use serde_json::{Value, json};

use super::receiver::{Does, Receiver};
use super::{attempts, ping, subscribe};
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::draws::campaign::{Players, generous};
use crate::fulfilment::fixtures::stands;
use crate::people::fresh_external;
use crate::process::{Home, shared};
use crate::shop::fixtures as shop;

#[tokio::test]
async fn a_delivery_is_signed_named_and_on_record() {
    let (_, server) = shared().await;
    let receiver = Receiver::start().await;
    let (hook, secret) = subscribe(server, &receiver.url(), &["win.made"]).await;
    let delivery = ping(server, &hook).await;
    let seen = receiver.took(1).await.remove(0);
    assert_eq!(
        (seen.path.as_str(), seen.delivery(), seen.header("windfall-event")),
        ("/hook", delivery.clone(), "webhook.test".to_owned())
    );
    assert!(seen.is_signed_with(&secret) && !seen.is_signed_with("another"));
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!((&body["kind"], &body["data"]), (&json!("webhook.test"), &json!({ "webhook_id": hook })));
    let log = attempts(server, &hook, &delivery, "done").await;
    assert_eq!((log.len(), &log[0]["status"], &log[0]["attempt"]), (1, &json!(204), &json!(1)));
    assert_eq!(log[0]["request_body"], seen.body);
    assert!(log[0]["request_head"].as_str().unwrap().contains(&seen.header("windfall-signature")));
    assert!(!log[0].to_string().contains(&secret), "the log holds no secret");
}

#[tokio::test]
async fn whatever_fails_is_tried_again_under_the_same_id() {
    let (_, shared) = shared().await;
    let impatient = Home::with(&[("WINDFALL__WEBHOOKS__TIMEOUT_MS", "1000")]);
    let impatient = impatient.demo().await;
    for (does, error) in [
        (Does::Status(500), "answered 500"),
        (Does::Status(404), "answered 404"),
        (Does::Redirect, "redirects are not followed"),
        (Does::Hang, "timed out"),
        (Does::BreakOff, "broke off"),
    ] {
        let server = if does == Does::Hang { &impatient } else { shared };
        let receiver = Receiver::doing(&[does], Does::Take).await;
        // What other tests bring about at this moment must not take the receiver's first answer.
        let (hook, secret) = subscribe(server, &receiver.url(), &["webhook.test"]).await;
        let delivery = ping(server, &hook).await;
        let log = attempts(server, &hook, &delivery, "done").await;
        // On a busy machine this receiver, too, may take longer than a second.
        assert!(log.len() == 2 || does == Does::Hang, "{does:?}: {log:?}");
        let first = log.last().unwrap();
        assert!(first["error"].as_str().unwrap().contains(error), "{does:?}: {}", first["error"]);
        let seen: Vec<_> = receiver.seen().into_iter().filter(|seen| seen.delivery() == delivery).collect();
        assert!(seen.len() == 2 || does == Does::Hang, "{does:?}: {seen:?}");
        assert!(seen.iter().all(|seen| seen.path == "/hook" && seen.is_signed_with(&secret)), "{does:?}");
        assert!(seen.iter().all(|again| again.body == seen[0].body), "{does:?}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_the_end() {
    let (_, server) = shared().await;
    let receiver = Receiver::doing(&[], Does::Drip).await;
    let (hook, _) = subscribe(server, &receiver.url(), &["webhook.test"]).await;
    let delivery = ping(server, &hook).await;
    let log = attempts(server, &hook, &delivery, "done").await;
    assert_eq!(log[0]["answer"].as_str().unwrap().len(), 4 * 1024);
}

#[tokio::test]
async fn a_receiver_without_the_right_certificate_gets_nothing() {
    let (_, server) = shared().await;
    let pair = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (cert, key) = (pair.cert.der().clone(), pair.signing_key.serialize_der());
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert], key.try_into().unwrap())
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(std::sync::Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/hook", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = acceptor.accept(stream).await;
        }
    });
    let plain = Receiver::start().await;
    for url in [url, format!("https://{}/hook", plain.address())] {
        let (hook, _) = subscribe(server, &url, &["webhook.test"]).await;
        let delivery = ping(server, &hook).await;
        let log = attempts(server, &hook, &delivery, "again").await;
        assert_eq!(log[0].get("status"), None, "{log:?}");
        server.console("DELETE", &format!("/webhooks/{hook}")).expect(204).await;
    }
}

#[tokio::test]
async fn a_slow_receiver_holds_up_nobody_else() {
    let home = Home::new();
    let server = &home.demo().await;
    let slow = Receiver::doing(&[], Does::Hang).await;
    let quick = Receiver::start().await;
    let (hanging, _) = subscribe(server, &slow.url(), &["webhook.test"]).await;
    let (going, _) = subscribe(server, &quick.url(), &["webhook.test"]).await;
    for _ in 0..40 {
        ping(server, &hanging).await;
    }
    let mut sent = Vec::new();
    for _ in 0..40 {
        sent.push(ping(server, &going).await);
    }
    let mut taken: Vec<String> = quick.took(40).await.iter().map(super::receiver::Seen::delivery).collect();
    taken.sort_unstable();
    sent.sort_unstable();
    assert_eq!(taken, sent, "each once");
    assert_eq!(slow.taken().len(), 0);
    server.console("DELETE", &format!("/webhooks/{hanging}")).expect(204).await;
}

#[tokio::test]
async fn wins_arrive_in_the_order_of_their_user() {
    let home = Home::new();
    let server = home.start("serve").await;
    let does = [Does::Status(503), Does::Take, Does::Status(503)];
    let receiver = Receiver::doing(&does, Does::Take).await;
    let (_, secret) = subscribe(&server, &receiver.url(), &["win.made"]).await;
    let activity = Crew::new(&server).await.publish(generous(99, 99)).await;
    let players = Players::new(&server, &activity).await;
    let names: Vec<String> = (0..3).map(|_| fresh_external()).collect();
    for _ in 0..6 {
        for name in &names {
            players.draw(name, &fresh_external(), 1).expect(201).await;
        }
    }
    let taken = receiver.took_different(18).await;
    for name in &names {
        let wins: Vec<i64> = taken
            .iter()
            .map(|seen| serde_json::from_str::<Value>(&seen.body).unwrap())
            .filter(|body| body["user"]["external_id"] == name.as_str())
            .map(|body| body["data"]["win_id"].as_str().unwrap().parse().unwrap())
            .collect();
        assert_eq!(wins.len(), 6, "{name}");
        assert!(wins.is_sorted(), "{name}: {wins:?}");
    }
    assert!(taken.iter().all(|seen| seen.is_signed_with(&secret)));
    assert!(receiver.seen().len() > 18, "something was tried again");
    server.stop().await;
}

#[tokio::test]
async fn a_coupon_is_handed_over_under_the_wins_id() {
    let home = Home::new();
    let server = home.start("serve").await;
    let receiver = Receiver::doing(&[Does::Status(500)], Does::Take).await;
    let listener = Receiver::start().await;
    subscribe(&server, &receiver.url(), &["coupon.due"]).await;
    subscribe(&server, &listener.url(), &["*"]).await;
    let mut form = generous(99, 99);
    form["prizes"] = json!([{ "name": "ten off", "odds": 1_000_000, "units": 9, "kind": "coupon" }]);
    let activity = Crew::new(&server).await.publish(form).await;
    let players = Players::new(&server, &activity).await;
    let name = fresh_external();
    players.draw(&name, &fresh_external(), 1).expect(201).await;
    let due = receiver.took(1).await.remove(0);
    let body: Value = serde_json::from_str(&due.body).unwrap();
    assert_eq!((&body["kind"], &body["user"]["external_id"]), (&json!("coupon.due"), &json!(name)));
    assert_eq!(json!(due.delivery()), body["data"]["win_id"], "whoever issues coupons issues one per id");
    assert_eq!(receiver.seen().len(), 2, "the first attempt failed");
    let win = due.delivery();
    stands(&server, &win, "handed_over").await;
    // The other system issues it and reports back, however often.
    let key = server.new_key(&["fulfil"]).await;
    let report = json!({ "outcome": "given", "note": "SPRING-10" });
    for _ in 0..2 {
        let call = server.api("POST", &format!("/fulfilments/{win}/report")).key(&key.secret);
        assert_eq!(call.json(report.clone()).expect(200).await.json()["state"], "given");
    }
    let mine = players.me(&name, "/wins").expect(200).await.items();
    assert_eq!((&mine[0]["id"], &mine[0]["giving"]["state"]), (&json!(win), &json!("given")));
    let kinds: Vec<String> = listener.seen().iter().map(|seen| seen.header("windfall-event")).collect();
    assert!(!kinds.contains(&"coupon.due".to_owned()), "who only listens promises nothing: {kinds:?}");
    server.stop().await;
}

/// One that was bought says what of, and every piece of an order has its name.
#[tokio::test]
async fn a_coupon_that_was_bought_says_what_it_is() {
    let home = Home::new();
    let server = home.start("serve").await;
    let receiver = Receiver::start().await;
    subscribe(&server, &receiver.url(), &["coupon.due"]).await;
    let offer = shop::offer(&server, json!({ "name": "ten off", "kind": "coupon" })).await;
    let buyer = shop::rich(&server, 20).await;
    let order = shop::buy(&server, &buyer, &offer, 2).expect(201).await.member("id");
    for seen in receiver.took(2).await {
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        let expected = json!({ "win_id": seen.delivery(), "source": "shop", "order_id": order, "offer_id": offer,
            "name": "ten off", "redriven": 0 });
        assert_eq!(body["data"], expected);
        let shown = stands(&server, &seen.delivery(), "handed_over").await;
        assert_eq!((&shown["source"], &shown["prize_name"]), (&json!("shop"), &json!("ten off")));
    }
    server.stop().await;
}

/// The delivery is the same; which try it was is told with it, and a failure of an earlier one is no news.
#[tokio::test]
async fn a_late_failure_does_not_undo_a_newer_try() {
    let home = Home::new();
    let server = home.start("serve").await;
    let receiver = Receiver::start().await;
    subscribe(&server, &receiver.url(), &["coupon.due"]).await;
    let offer = shop::offer(&server, json!({ "kind": "coupon" })).await;
    let buyer = shop::rich(&server, 10).await;
    let id = shop::buy(&server, &buyer, &offer, 1).expect(201).await.member("id");
    let report = |body: Value| {
        let call = server.console("POST", &format!("/fulfilments/{id}/report")).json(body);
        async move { call.expect(200).await.json() }
    };
    let failed = |of: Value| json!({ "outcome": "failed", "note": "no stock", "redriven": of });
    stands(&server, &id, "handed_over").await;
    assert_eq!(report(failed(json!(0))).await["state"], "failed");
    let redrive = server.console("POST", &format!("/fulfilments/{id}/redrive"));
    assert_eq!(redrive.json(json!({ "reason": "restocked" })).expect(200).await.json()["redriven"], 1);
    let tries = receiver.took_of(&id, 2).await;
    let redriven = |seen: &str| serde_json::from_str::<Value>(seen).unwrap()["data"]["redriven"].clone();
    assert_eq!((redriven(&tries[0].body), redriven(&tries[1].body)), (json!(0), json!(1)));
    stands(&server, &id, "handed_over").await;
    assert_eq!(report(failed(json!(0))).await["state"], "handed_over", "it is of the first try");
    assert_eq!(report(failed(json!(1))).await["state"], "failed");
    server.stop().await;
}

/// Nobody to tell is no failure: no attempt is counted, and operators see what is missing.
#[tokio::test]
async fn a_coupon_waits_for_a_subscriber() {
    let home = Home::new();
    let server = home.start("serve").await;
    let mut form = generous(99, 99);
    form["prizes"] = json!([{ "name": "ten off", "odds": 1_000_000, "units": 9, "kind": "coupon" }]);
    let activity = Crew::new(&server).await.publish(form).await;
    let players = Players::new(&server, &activity).await;
    players.draw(&fresh_external(), &fresh_external(), 1).expect(201).await;
    let queue = || server.console("GET", "/fulfilments?state=ready&kind=coupon");
    let waits = |answer: &crate::client::Answer| {
        answer.items().first().is_some_and(|coupon| coupon["waits_for"] == "a subscriber")
    };
    let coupon = settled(queue, waits).await.items()[0]["id"].as_str().unwrap().to_owned();
    let counted = |answer: &crate::client::Answer| {
        answer.text().lines().any(|line| line == "windfall_outbox_unattended{lane=\"coupons\"} 1")
    };
    settled(|| server.page("GET", "/metrics"), counted).await;
    let listener = Receiver::start().await;
    subscribe(&server, &listener.url(), &["*"]).await;
    let shown = server.console("GET", &format!("/fulfilments/{coupon}")).expect(200).await.json();
    assert_eq!(shown["waits_for"], "a subscriber", "who only listens promises nothing");
    let receiver = Receiver::start().await;
    subscribe(&server, &receiver.url(), &["coupon.due"]).await;
    receiver.took_of(&coupon, 1).await;
    let shown = stands(&server, &coupon, "handed_over").await;
    assert_eq!(shown.get("waits_for"), None);
    let attempts: i64 =
        home.database().query_row("SELECT COUNT(*) FROM outbox_attempts", [], |row| row.get(0)).unwrap();
    assert_eq!(attempts, 0, "waiting is no attempt");
    server.stop().await;
}
