//! The gate as a page meets it.

use serde_json::{Value, json};

use super::fixtures::selling;
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::client::Call;
use crate::people::{Key, fresh_external};
use crate::process::{Home, Server, shared};
use crate::stream::Stream;

/// People whom a company's backend knows, in front of one sale.
struct Front<'s> {
    server: &'s Server,
    key: Key,
    sale: String,
}

impl<'s> Front<'s> {
    async fn of(server: &'s Server, units: u64, gate: &Value) -> Self {
        let sale = Crew::new(server).await.publish(selling(units, gate)).await;
        Self { server, key: server.new_key(&["play"]).await, sale }
    }

    fn ask(&self, method: &str, who: &str, what: &str) -> Call {
        let call = self.server.api(method, &format!("/sales/{}/{what}", self.sale));
        call.key(&self.key.secret).header("windfall-user", who)
    }

    async fn live(&self, who: &str) -> Stream {
        let path = format!("/sales/{}/room/live", self.sale);
        let headers =
            [("authorization", format!("Bearer {}", self.key.secret)), ("windfall-user", who.to_owned())];
        Stream::open_as(self.server, &headers, &path, "room").await
    }
}

/// A place, one's turn, a picture, a token: everything a sale may ask for.
#[tokio::test]
async fn the_whole_way_in() {
    let (_, server) = shared().await;
    let front = Front::of(server, 5, &json!({ "captcha": true, "room": { "per_second": 100 } })).await;
    let ann = fresh_external();
    front.ask("POST", &ann, "token").refused(403, "place_needed").await;
    let joined = front.ask("POST", &ann, "room").expect(200).await.json();
    assert!(joined["place"].as_str().unwrap().starts_with("wfp_"), "{joined}");
    assert_eq!((&joined["number"], &joined["units_left"]), (&json!(1), &json!(5)), "{joined}");
    settled(|| front.ask("GET", &ann, "room"), |answer| answer.json()["state"] == "admitted").await;
    front.ask("POST", &ann, "token").refused(403, "captcha_needed").await;
    let picture = front.ask("POST", &ann, "captcha").expect(201).await.json();
    assert!(picture["svg"].as_str().unwrap().starts_with("<svg"), "{picture}");
    let answered = json!({ "captcha": { "challenge": picture["challenge"], "answer": picture["answer"] } });
    let token = front.ask("POST", &ann, "token").json(answered.clone()).expect(201).await;
    assert!(token.member("token").starts_with("wft_"));
    front.ask("POST", &ann, "token").json(answered).refused(409, "captcha_spent").await;
}

/// In front of what is gone nobody is asked who they are, and everybody hears the same; until something is there again.
/// Whoever repeats an attempt that went well hears that it did.
#[tokio::test]
async fn whoever_comes_too_late_is_told_at_once() {
    // What is known to be gone is asked for anew after a moment, which does not pass here.
    let (home, _) = Home::with_still_clock(&[]);
    let server = &home.demo().await;
    let front = Front::of(server, 1, &json!({})).await;
    let [ann, ben] = [fresh_external(), fresh_external()];
    let token = async |who: &str| front.ask("POST", who, "token").expect(201).await.member("token");
    let (first, late) = (token(&ann).await, token(&ben).await);
    let bought = || {
        front.ask("POST", &ann, "attempts").header("idempotency-key", "one").json(json!({ "token": first }))
    };
    let order = bought().expect(202).await.member("id");
    let answer =
        |id: &str| server.api("GET", &format!("/attempts/{id}?wait_ms=20000")).key(&front.key.secret);
    answer(&order).header("windfall-user", &ann).expect(200).await;
    // The first who is refused by the ledger makes it known, and whoever asks later keeps it known.
    let ask = || front.ask("POST", &ben, "attempts").json(json!({ "token": late }));
    let refused = ask().expect(202).await.member("id");
    answer(&refused).header("windfall-user", &ben).expect(200).await;
    let stranger = || server.api("POST", &format!("/sales/{}/attempts", front.sale)).json(json!({}));
    let told = loop {
        ask().send().await;
        let told = stranger().header("accept-language", "zh").send().await;
        if told.status != 401 {
            break told;
        }
    };
    assert_eq!(
        (told.status, told.header("content-type")),
        (409, "application/problem+json"),
        "{}",
        told.text()
    );
    let body = told.json();
    assert_eq!(
        (&body["code"], &body["left"], &body["pool"], &body["title"]),
        (&json!("sold_out"), &json!(0), &json!("Clay teapot"), &json!("Clay teapot 仅剩 0 件。"))
    );
    assert_eq!(body["request_id"], told.header("x-request-id"));
    for (name, value) in
        [("content-language", "zh-CN"), ("cache-control", "no-store"), ("x-content-type-options", "nosniff")]
    {
        assert_eq!(told.header(name), value, "{name}");
    }
    assert_eq!(bought().expect(200).await.member("id"), order);
    let more = json!({ "id": fresh_external(), "delta": 1, "reason": "found another" });
    server.console("POST", &format!("/sales/{}/restock", front.sale)).json(more).expect(200).await;
    stranger().refused(401, "unauthenticated").await;
}

/// Nobody is let in while the server is killed and started again; whoever was first is first.
#[tokio::test]
async fn a_kill_keeps_the_order_of_the_line() {
    let (home, mut now) = Home::with_still_clock(&[]);
    let server = home.start("serve").await;
    let front = Front::of(&server, 100, &json!({ "room": { "per_second": 1 } })).await;
    let people: Vec<String> = (0..40).map(|_| fresh_external()).collect();
    let mut places = Vec::new();
    for who in &people {
        let told = front.ask("POST", who, "room").expect(200).await.json();
        places.push((told["place"].clone(), told["number"].as_i64().unwrap()));
    }
    assert!(places.windows(2).all(|pair| pair[0].1 < pair[1].1), "{places:?}");
    let (key, sale) = (front.key, front.sale);
    assert_eq!(server.kill().await.code(), None, "ended by the signal");

    let server = home.start("serve").await;
    let front = Front { server: &server, key, sale };
    front.ask("GET", &people[30], "room").refused(403, "place_needed").await;
    let stranger = front.ask("POST", &fresh_external(), "room").expect(200).await.json();
    assert!(stranger["number"].as_i64().unwrap() > places[39].1, "{stranger}");
    for (who, (place, number)) in people.iter().zip(&places).rev() {
        let told = front.ask("POST", who, "room").json(json!({ "place": place })).expect(200).await.json();
        assert_eq!(told["number"].as_i64(), Some(*number), "{told}");
        let theirs = json!({ "place": places[(usize::try_from(*number).unwrap() + 1) % 40].0 });
        front.ask("POST", who, "room").json(theirs).refused(403, "place_wrong").await;
    }
    // From the front, whoever came back first.
    let inside =
        async |who: &String| front.ask("GET", who, "room").expect(200).await.json()["state"] == "admitted";
    assert!(!inside(&people[0]).await, "nobody while the clock stands still");
    for _ in 0..60 {
        now += 500;
        home.clock_at(now);
        let (fourth, next) = (inside(&people[3]).await, inside(&people[20]).await);
        assert!(!next, "twenty-first before fourth");
        if fourth {
            return;
        }
    }
    panic!("the fourth is not let in");
}

/// Each follows their own place, and all of them share one look.
#[tokio::test]
async fn a_place_is_followed_live() {
    let (_, server) = shared().await;
    let front = Front::of(server, 5, &json!({ "room": { "per_second": 1 } })).await;
    let people: Vec<String> = (0..3).map(|_| fresh_external()).collect();
    for who in &people {
        front.ask("POST", who, "room").expect(200).await;
    }
    let metrics = server.page("GET", "/metrics").expect(200).await.text();
    let gauge = |name: &str| -> Option<f64> {
        metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    };
    let here = gauge("windfall_room_waiting ").unwrap() + gauge("windfall_room_inside ").unwrap();
    assert!(here >= 3.0, "{here} are counted");
    for who in &people {
        let mut stream = front.live(who).await;
        let first = stream.next().await.unwrap();
        let mut ahead = first["ahead"].as_u64().unwrap_or(0);
        let mut told = first;
        while told["state"] != "admitted" {
            let now = told["ahead"].as_u64().unwrap();
            assert!(now <= ahead, "{told}");
            ahead = now;
            told = stream.next().await.unwrap();
        }
        assert!(told["until_ms"].as_i64().unwrap() > told["server_time_ms"].as_i64().unwrap(), "{told}");
    }
    front.ask("GET", &fresh_external(), "room/live").refused(403, "place_needed").await;
}
