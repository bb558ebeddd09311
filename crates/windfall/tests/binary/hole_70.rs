//! Hole 70: "A limit tied to an account ends with the account: delete, come back, draw again." Here whoever returns with
//! the same phone, or the same id of the company, goes on with the chances used, the purchases made and the blocks set.

use serde_json::{Value, json};

use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::client::Call;
use crate::draws::campaign::{generous, prizes};
use crate::people::{Key, Person, fresh_external};
use crate::process::{Server, shared};
use crate::sales::fixtures::sale;

/// Every draw, in parts of a million.
const ALL: u32 = 1_000_000;
/// How often everybody leaves and comes back.
const CYCLES: u32 = 4;

/// Somebody who leaves and comes back.
#[derive(Debug)]
enum Guest {
    ByPhone(Person),
    ByCompany { key: Key, external: String },
}

impl Guest {
    async fn both(server: &Server) -> [Self; 2] {
        let (key, external) = (server.new_key(&["play"]).await, fresh_external());
        [Self::ByPhone(server.person(&[]).await), Self::ByCompany { key, external }]
    }

    fn call(&self, server: &Server, method: &str, path: &str) -> Call {
        match self {
            Self::ByPhone(person) => server.by(person, method, path),
            Self::ByCompany { key, external } => {
                server.api(method, path).key(&key.secret).header("windfall-user", external)
            }
        }
    }

    async fn id(&self, server: &Server) -> String {
        self.call(server, "GET", "/me").expect(200).await.member("id")
    }

    async fn draw(&self, server: &Server, activity: &str) -> crate::client::Answer {
        let path = format!("/play/activities/{activity}/draws");
        self.call(server, "POST", &path).json(json!({ "id": fresh_external() })).send().await
    }

    /// What became of an attempt to buy one.
    async fn buy(&self, server: &Server, sale: &str) -> Value {
        let token =
            self.call(server, "POST", &format!("/sales/{sale}/token")).json(json!({})).expect(201).await;
        let body = json!({ "quantity": 1, "token": token.member("token") });
        let path = format!("/sales/{sale}/attempts");
        let taken_in = self.call(server, "POST", &path).json(body).expect(202).await;
        let path = format!("/attempts/{}", taken_in.member("id"));
        let look = || self.call(server, "GET", &path);
        settled(look, |answer| answer.json()["state"] != "queued").await.json()
    }

    async fn leave_and_return(&mut self, server: &Server) {
        match self {
            Self::ByPhone(person) => {
                let code = server.my_code(person, None).await;
                server.by(person, "POST", "/me/delete").json(json!({ "code": code })).expect(204).await;
                server.by(person, "GET", "/me").refused(401, "unauthenticated").await;
                person.cookie = server.sign_in_by_code(&person.phone).await;
            }
            Self::ByCompany { key, external } => {
                let path = format!("/external-users/{external}");
                server.api("DELETE", &path).key(&key.secret).expect(204).await;
                server.api("DELETE", &path).key(&key.secret).refused(404, "not_found").await;
            }
        }
    }
}

#[tokio::test]
async fn hole_70_whoever_deletes_the_account_and_returns_draws_no_more_than_others() {
    let (_, server) = shared().await;
    let activity = Crew::new(server).await.publish(generous(100, 1)).await;
    for mut guest in Guest::both(server).await {
        assert_eq!(guest.draw(server, &activity).await.status, 201, "{guest:?}");
        for cycle in 1..=CYCLES {
            guest.leave_and_return(server).await;
            let again = guest.draw(server, &activity).await;
            assert_eq!((again.status, again.code().as_str()), (409, "chances_spent"), "{guest:?} {cycle}");
            // What was won before is not theirs to see: the number may have another owner by now.
            let wins = guest.call(server, "GET", "/me/wins").expect(200).await;
            assert_eq!(wins.items().len(), 0, "{}", wins.text());
            let path = format!("/play/activities/{activity}/me/draws");
            assert_eq!(guest.call(server, "GET", &path).expect(200).await.items().len(), 0);
        }
    }
}

#[tokio::test]
async fn hole_70_whoever_deletes_the_account_and_returns_buys_no_more_than_others() {
    let (_, server) = shared().await;
    let sale = sale(server, json!({ "per_user": 1 })).await;
    for mut guest in Guest::both(server).await {
        let order = guest.buy(server, &sale).await;
        assert_eq!(order["state"], "ordered", "{order}");
        for cycle in 1..=CYCLES {
            guest.leave_and_return(server).await;
            let again = guest.buy(server, &sale).await;
            assert_eq!(again["problem"]["code"], "limit_reached", "{guest:?} {cycle}: {again}");
            let path = format!("/orders/{}", order["order"].as_str().unwrap());
            guest.call(server, "GET", &path).refused(404, "not_found").await;
            assert_eq!(guest.call(server, "GET", "/me/orders").expect(200).await.items().len(), 0);
        }
    }
}

#[tokio::test]
async fn hole_70_whoever_deletes_the_account_and_returns_is_still_on_the_block_list() {
    let (_, server) = shared().await;
    let mut form = generous(100, 9);
    form["prizes"].as_array_mut().unwrap().push(json!({ "name": "card", "id": 5, "units": 50 }));
    form["consolation"] = json!(5);
    let activity = Crew::new(server).await.publish(form).await;
    for mut guest in Guest::both(server).await {
        let body = json!({ "users": [guest.id(server).await], "reason": "scripted by 小满" });
        let list = format!("/activities/{activity}/block-list");
        server.console("POST", &list).json(body).expect(200).await;
        for cycle in 1..=CYCLES {
            guest.leave_and_return(server).await;
            let drawn = guest.draw(server, &activity).await.json();
            assert_eq!(prizes(&drawn), ["card"], "{guest:?} {cycle}");
        }
        let rows = server.console("GET", &list).expect(200).await.text();
        assert!(
            !rows.contains("小满") && !rows.contains("scripted"),
            "a reason may tell of a person: {rows}"
        );
    }
}

/// Whoever has only a link's session has not proved that the account is theirs to delete.
#[tokio::test]
async fn hole_70_a_link_is_no_proof_for_a_deletion() {
    let (_, server) = shared().await;
    let (key, external) = (server.new_key(&["play"]).await, fresh_external());
    let link = server.api("POST", "/links").key(&key.secret).header("windfall-user", &external);
    let url = link.expect(201).await.member("url");
    let token = json!({ "token": url.split_once('#').unwrap().1 });
    let cookie = server.api("POST", "/auth/links/redeem").json(token).expect(200).await.cookie();
    let delete = || server.api("POST", "/me/delete").cookie(&cookie);
    for body in [json!({}), json!({ "code": "123456" })] {
        delete().json(body).refused(403, "deletion_by_company").await;
    }
    let path = format!("/external-users/{external}");
    let other = server.new_key(&["facts", "read"]).await;
    server.api("DELETE", &path).key(&other.secret).refused(403, "scope_missing").await;
    server.api("GET", "/me").cookie(&cookie).expect(200).await;
    server.api("DELETE", &path).key(&key.secret).expect(204).await;
    server.api("GET", "/me").cookie(&cookie).refused(401, "unauthenticated").await;
}

/// A label that keeps somebody from a prize is a limit too: it comes back with them, and until then nothing reads it.
#[tokio::test]
async fn hole_70_risk_labels_outlive_the_account() {
    let (_, server) = shared().await;
    let admin = server.person(&["admin"]).await;
    let mut form = generous(100, 100);
    form["prizes"] = json!([
        { "name": "tea", "odds": ALL, "unlimited": true, "withdrawn_for": ["bot"] },
    ]);
    let activity = Crew::new(server).await.publish(form).await;
    for mut guest in Guest::both(server).await {
        let id = guest.id(server).await;
        let facts = format!("/admin/users/{id}/facts");
        let set = json!({ "risk_labels": ["bot"], "city": "Shanghai" });
        server.by(&admin, "PATCH", &facts).json(set).expect(200).await;
        let won = |answer: crate::client::Answer| answer.json()["draws"][0]["prize"].clone();
        assert_eq!(won(guest.draw(server, &activity).await), Value::Null, "{guest:?} is labelled");
        guest.leave_and_return(server).await;
        assert_eq!(guest.id(server).await, id);
        assert_eq!(won(guest.draw(server, &activity).await), Value::Null, "{guest:?} comes back clean");
        let known = server.by(&admin, "GET", &facts).expect(200).await.json();
        assert_eq!(known["facts"]["risk_labels"]["value"], json!(["bot"]), "{known}");
        assert_eq!(known["facts"].as_object().unwrap().len(), 1, "every other fact is gone: {known}");
        // Taken away, they stay away.
        server.by(&admin, "PATCH", &facts).json(json!({ "risk_labels": null })).expect(200).await;
        guest.leave_and_return(server).await;
        assert_ne!(
            won(guest.draw(server, &activity).await),
            Value::Null,
            "{guest:?} is not labelled any more"
        );
    }
}

/// A phone or an external id may have another owner by now: no list names them beside what was won before.
#[tokio::test]
async fn a_new_owner_is_not_named_beside_what_another_won() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut form = generous(100, 100);
    form["prizes"] = json!([{ "name": "tea", "odds": ALL, "unlimited": true }]);
    let activity = crew.publish(form).await;
    let mut guests = Guest::both(server).await;
    for guest in &mut guests {
        assert_eq!(guest.draw(server, &activity).await.status, 201);
        guest.leave_and_return(server).await;
        let name = json!({ "name": "Zoe" });
        if matches!(guest, Guest::ByPhone(_)) {
            guest.call(server, "PATCH", "/me").json(name).expect(200).await;
        }
        assert_eq!(guest.draw(server, &activity).await.status, 201);
    }
    let winners = || server.by(&crew.author, "GET", &format!("/activities/{activity}/winners"));
    let listed = settled(winners, |answer| answer.items().len() == 4).await.items();
    let names: Vec<bool> = listed
        .iter()
        .map(|line| !line["name"].as_str().unwrap_or_default().trim_matches('*').is_empty())
        .collect();
    assert_eq!(names, [false, true, false, true], "in the order of winning: {listed:?}");
}
