//! A raffle as its players and operators meet it.

use std::num::NonZeroUsize;

use domain::raffle::{Beacon, Roll, draw};
use engine::draws::verification::verify;
use serde_json::{Value, json};

use super::fixtures::{BEACON, VALUE, state, with_beacon};
use crate::activities::fixtures::Crew;
use crate::draws::campaign::{Players, generous, raffle};
use crate::people::fresh_external;
use crate::process::shared;

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[tokio::test]
async fn from_the_first_entry_to_winners_that_anybody_can_draw_again() {
    let (home, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut form = with_beacon();
    form["prizes"] = json!([{ "name": "a week by the sea", "units": 1 }, { "name": "tea", "units": 2 }]);
    let id = crew.publish(form).await;
    let players = Players::new(server, &id).await;
    let at = |rest: &str| format!("/play/activities/{id}/raffle{rest}");
    for entries in 1..=5 {
        let name = fresh_external();
        players.post(&name, "/entries", json!({ "id": "mine", "entries": entries })).expect(201).await;
        let me = players.get(&name, "/me").expect(200).await.json();
        assert_eq!(
            (&me["drawn"], &me["player"]),
            (&json!(entries), &json!(entries)),
            "the n-th player of them"
        );
    }
    let open = server.api("GET", &at("")).expect(200).await.json();
    assert_eq!((&open["state"], &open["beacon"]), (&json!("open"), &json!(BEACON)));
    let tell = |value: &str| {
        let path = format!("/activities/{id}/raffle/beacon");
        server.by(&crew.author, "POST", &path).json(json!({ "value": value }))
    };
    tell(VALUE).refused(409, "roll_unpublished").await;
    for rest in ["/roll", "/winners"] {
        server.api("GET", &at(rest)).refused(409, "roll_unpublished").await;
    }

    crew.step(&id, "close").expect(200).await;
    let public = state(server, &id, "waiting_for_beacon").await;
    assert_eq!((&public["commitment"], public.get("secret")), (&open["commitment"], None));
    assert_eq!((&public["roll"]["entrants"], &public["roll"]["entries"]), (&json!(5), &json!(15)));
    let roll = server.api("GET", &at("/roll")).expect(200).await;
    assert_eq!(roll.headers["content-type"], "application/octet-stream");
    let roll = Roll::decode(&roll.body).unwrap();
    assert_eq!(roll.hash().to_vec(), bytes(&public["roll"]["hash"]));
    let told = tell(VALUE).expect(200).await.json();
    assert_eq!(told["beacon_value"], json!(VALUE));
    tell(VALUE).expect(200).await;
    tell("1 1 1").refused(409, "beacon_fixed").await;

    // The hour is over.
    let sql = "UPDATE raffles SET draw_at = 0 WHERE activity_id = ?1";
    assert_eq!(home.database().execute(sql, [id.parse::<i64>().unwrap()]).unwrap(), 1);
    server.console("POST", "/admin/jobs/raffles/run").expect(202).await;
    let drawn = state(server, &id, "drawn").await;
    let secret: [u8; 32] = bytes(&drawn["secret"]).try_into().unwrap();
    let beacon = Beacon::of(drawn["beacon_value"].as_str().unwrap().as_bytes());
    let again = draw(&secret, &roll, Some(&beacon)).unwrap();
    let items = server.api("GET", &at("/winners?limit=2")).expect(200).await;
    let rest = format!("/winners?limit=2&after={}", items.member("next"));
    let rest = server.api("GET", &at(&rest)).expect(200).await.items();
    let listed: Vec<Value> = items.items().into_iter().chain(rest).collect();
    let place = |winner: &Value| winner["place"].as_u64().unwrap();
    let places: Vec<u64> = again.iter().map(|winner| u64::from(winner.place)).collect();
    assert_eq!(listed.iter().map(place).collect::<Vec<_>>(), places);
    let numbers: Vec<Value> = again.iter().map(|winner| json!(winner.seat.number())).collect();
    assert_eq!(listed.iter().map(|winner| winner["player"].clone()).collect::<Vec<_>>(), numbers);
    assert_eq!(drawn["winners"], json!(listed));
    assert_eq!(
        (&drawn["winner_count"], &listed[0]["prize"]["name"]),
        (&json!(3), &json!("a week by the sea"))
    );
    for winner in &listed {
        assert!(winner["name"].as_str().unwrap().contains("**") && winner.get("user").is_none(), "{winner}");
    }
    let report = server.by(&crew.author, "GET", &format!("/activities/{id}/report")).expect(200).await.json();
    let funnel = json!({ "players": 5, "draws": 15, "winners": 3, "wins": 3 });
    assert_eq!(report["funnel"], funnel, "entrants, entries and winners: {report}");
    let given = |at: usize| report["prizes"][at]["given"].clone();
    assert_eq!((given(0), given(1)), (json!(1), json!(2)), "{report}");
    let live = server.by(&crew.author, "GET", &format!("/activities/{id}/live")).expect(200).await.text();
    assert!(live.contains("\"winners\":3,\"wins\":3"), "{live}");
    server.api("GET", &format!("/play/activities/{id}/leaders")).refused(409, "leaders_unoffered").await;
    let export = server.by(&crew.author, "GET", &format!("/activities/{id}/export")).expect(200).await;
    let verdict = verify(export.body.as_ref(), NonZeroUsize::MIN, |_| {}).unwrap();
    assert_eq!((verdict.raffles, verdict.winners), (1, 3));
    let admin = server.person(&["admin"]).await;
    let audit = format!("/admin/audit?subject=activity:{id}");
    let lines = server.by(&admin, "GET", &audit).expect(200).await.text();
    for action in ["raffle.roll", "raffle.beacon", "raffle.draw"] {
        assert_eq!(lines.matches(&format!("\"{action}\"")).count(), 1, "{action}: {lines}");
    }
}

#[tokio::test]
async fn what_is_no_raffle_or_has_no_beacon_says_so() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let (wheel, plain) = (crew.publish(generous(1, 1)).await, crew.publish(raffle()).await);
    crew.step(&plain, "close").expect(200).await;
    state(server, &plain, "roll_published").await;
    for (id, rest, status, code) in [
        (wheel.as_str(), "", 409, "draws_only"),
        (wheel.as_str(), "/roll", 409, "draws_only"),
        ("7", "", 404, "not_found"),
        (plain.as_str(), "?round=2", 404, "not_found"),
        (plain.as_str(), "?round=0", 404, "not_found"),
        (plain.as_str(), "?round=first", 400, "invalid_field"),
        (plain.as_str(), "/winners?after=zzz", 400, "cursor_invalid"),
    ] {
        server.api("GET", &format!("/play/activities/{id}/raffle{rest}")).refused(status, code).await;
    }
    let tell = |id: &str| {
        let path = format!("/activities/{id}/raffle/beacon");
        server.by(&crew.author, "POST", &path).json(json!({ "value": VALUE }))
    };
    tell(&plain).refused(409, "beacon_unnamed").await;
    tell(&wheel).refused(409, "draws_only").await;
}
