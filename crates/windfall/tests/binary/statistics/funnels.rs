//! How far people get: from those who open a campaign to those who have something of it.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::Crew;
use crate::draws::campaign::raffle;
use crate::fulfilment::fixtures::sure;
use crate::people::{Person, address};
use crate::process::{Server, shared};
use crate::sales::fixtures as sales;

fn steps(funnel: &Value) -> Vec<(String, u64)> {
    let step = |step: &Value| (step["step"].as_str().unwrap().to_owned(), step["count"].as_u64().unwrap());
    funnel["steps"].as_array().unwrap().iter().map(step).collect()
}

async fn comes_to(server: &Server, activity: &str, expected: &[(&str, u64)]) -> Value {
    let expected: Vec<_> = expected.iter().map(|(step, count)| ((*step).to_owned(), *count)).collect();
    told(server, &format!("/activities/{activity}/funnel"), |funnel| steps(funnel) == expected).await
}

async fn people(server: &Server) -> [Person; 3] {
    [server.person(&[]).await, server.person(&[]).await, server.person(&[]).await]
}

/// Four browsers and three people see a wheel; two draw and win a parcel, one asks for it.
#[tokio::test]
async fn a_wheel_has_a_funnel_from_its_rows_and_its_visits() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(sure(&json!({ "kind": "parcel" }))).await;
    let other = crew.publish(sure(&json!({ "kind": "parcel" }))).await;
    let path = format!("/play/activities/{activity}");
    let empty = [("visitors", 0), ("signed_in", 0), ("played", 0), ("won", 0), ("claimed", 0)];
    comes_to(server, &activity, &empty).await;
    let [ann, bob, eve] = people(server).await;
    let anonymous = browser(server).await;
    for _ in 0..2 {
        server.api("GET", &path).cookie(&anonymous).expect(200).await;
        for person in [&ann, &bob, &eve] {
            signed_in(server, &browser(server).await, person, &path).expect(200).await;
        }
    }
    // Looking at its draws or at another campaign is not opening this one.
    server.api("GET", &format!("/play/activities/{other}")).cookie(&browser(server).await).expect(200).await;
    server.api("GET", &format!("{path}/winners")).cookie(&browser(server).await).expect(200).await;
    for person in [&ann, &bob] {
        let draw = server.by(person, "POST", &format!("{path}/draws"));
        draw.json(json!({ "id": "one" })).expect(201).await;
    }
    let seen = [("visitors", 7), ("signed_in", 3), ("played", 2), ("won", 2), ("claimed", 0)];
    let funnel = comes_to(server, &activity, &seen).await;
    assert_eq!((&funnel["kind"], &funnel["round"]), (&json!("instant"), &json!(1)));
    assert!(funnel["steps"].as_array().unwrap().iter().all(|step| step["exact"] == json!(true)));
    let win = server.by(&ann, "GET", "/me/wins").expect(200).await.items()[0]["id"].clone();
    let claim = server.by(&ann, "POST", &format!("/me/wins/{}/claim", win.as_str().unwrap()));
    claim.json(json!({ "address": address("世纪大道 1 号") })).expect(200).await;
    let claimed = [("visitors", 7), ("signed_in", 3), ("played", 2), ("won", 2), ("claimed", 1)];
    comes_to(server, &activity, &claimed).await;
    let funnel = |query: &str| server.console("GET", &format!("/activities/{activity}/funnel{query}"));
    funnel("?round=1").expect(200).await;
    funnel("?round=2").refused(400, "invalid_field").await;
}

#[tokio::test]
async fn a_raffle_counts_entrants() {
    let (_, server) = shared().await;
    let activity = Crew::new(server).await.publish(raffle()).await;
    let ann = server.person(&[]).await;
    signed_in(server, &browser(server).await, &ann, &format!("/play/activities/{activity}"))
        .expect(200)
        .await;
    let enter = server.by(&ann, "POST", &format!("/play/activities/{activity}/entries"));
    enter.json(json!({ "id": "one" })).expect(201).await;
    let expected = [("visitors", 1), ("signed_in", 1), ("played", 1), ("won", 0), ("claimed", 0)];
    let funnel = comes_to(server, &activity, &expected).await;
    assert_eq!(funnel["kind"], json!("raffle"));
}

/// Three see a sale; two try, of whom one is refused; one pays.
#[tokio::test]
async fn a_sale_counts_attempts_that_came_to_nothing() {
    let (_, server) = shared().await;
    let sale = sales::sale(server, json!({ "units": 2 })).await;
    let [ann, bob, eve] = people(server).await;
    for person in [&ann, &bob, &eve] {
        signed_in(server, &browser(server).await, person, &format!("/sales/{sale}")).expect(200).await;
    }
    let order = sales::ordered(server, &ann, &sale, 1).await;
    // There is one left.
    sales::refused(server, &bob, &sale, 2).await;
    sales::refused(server, &bob, &sale, 2).await;
    let funnel = [("visitors", 3), ("signed_in", 3), ("attempted", 2), ("ordered", 1), ("paid", 0)];
    comes_to(server, &sale, &funnel).await;
    sales::press(server, &order, "pay").expect(303).await;
    sales::comes_to(server, &ann, &order, "paid").await;
    let paid = [("visitors", 3), ("signed_in", 3), ("attempted", 2), ("ordered", 1), ("paid", 1)];
    let funnel = comes_to(server, &sale, &paid).await;
    assert_eq!((&funnel["kind"], funnel.get("round")), (&json!("sale"), None));
}

#[tokio::test]
async fn what_is_not_published_has_no_funnel() {
    let (_, server) = shared().await;
    let draft = Crew::new(server).await.write(sure(&json!({}))).await;
    for id in [&draft, "5"] {
        server.console("GET", &format!("/activities/{id}/funnel")).refused(404, "not_found").await;
    }
}
