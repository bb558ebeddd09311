//! Where a row's request goes: an address with fresh objects in it.

use serde_json::{Value, json};

use super::caller::Actor;
use super::table::Row;
use crate::activities::fixtures::{Crew, running};
use crate::backend::settled;
use crate::block_list;
use crate::client::Call;
use crate::codes;
use crate::community::fixtures as community;
use crate::draws::campaign::{generous, raffle};
use crate::fulfilment::fixtures as fulfilment;
use crate::gate::fixtures::selling;
use crate::grants;
use crate::people::{Person, address, fresh_external};
use crate::process::Server;
use crate::raffles;
use crate::sales::fixtures as sales;
use crate::shop::fixtures as shop;
use crate::trees::admission;
use crate::webhooks;

/// The row's path with real ids in it.
pub async fn path(server: &Server, row: &Row, actor: &Actor, owner: &Person) -> String {
    if row.path.contains("/{id}/raffle") {
        return row.path.replace("{id}", &raffles::closed(server).await);
    }
    if row.path.ends_with("/reminder") {
        let path = row.path.replace("{id}", &sales::published(server, sales::coming()).await);
        // What is dropped was asked for by whoever drops it.
        actor.sign(server.api("PUT", &path)).send().await;
        return path;
    }
    if row.path.trim_start_matches("/admin").starts_with("/activities/{id}")
        && !row.path.contains("/block-list")
    {
        let path = row.path.replace("{id}", &activity(server, row, actor).await);
        let path = path.replace("{number}", "1").replace("{prize}", "0");
        return if row.method == "PUT" { format!("{path}?edition=1") } else { path };
    }
    let (from, to) = match row.path {
        path if path.starts_with("/threads/{on}/{id}") => {
            let post = community::post(server, &server.person(&[]).await).await;
            return path.replace("{on}", "post").replace("{id}", &post);
        }
        path if path.contains("/comments/{id}") => ("{id}", own_comment(server, row, actor, owner).await),
        path if path.starts_with("/posts/{id}") => ("{id}", own_post(server, row, actor, owner).await),
        path if path.starts_with("/admin/posts/{id}") => {
            ("{id}", community::post(server, &server.person(&[]).await).await)
        }
        path if path.starts_with("/me/decisions/{id}") => {
            let judge = server.person(&["moderator"]).await;
            ("{id}", community::removed_post(server, owner, &judge).await)
        }
        path if path.starts_with("/admin/appeals/{id}") => ("{id}", community::appealed_post(server).await),
        path if path.starts_with("/admin/reports/{id}") => ("{id}", reported_message(server).await),
        "/me/mutes/{on}/{id}" => {
            return row.path.replace("{on}", "person").replace("{id}", &server.person(&[]).await.id);
        }
        "/users/{id}/messages" | "/users/{id}/messages/read" => ("{id}", server.person(&[]).await.id),
        path if path.ends_with("/follow") || path.ends_with("/block") => {
            ("{id}", server.person(&[]).await.id)
        }
        path if path.starts_with("/members/{id}") || path.starts_with("/users/{id}/") => {
            ("{id}", owner.id.clone())
        }
        "/users/{id}" => ("{id}", owner.id.clone()),
        "/search" => return "/search?q=snow".to_owned(),
        "/admin/names" => return "/admin/names?ids=7".to_owned(),
        "/invites/{code}" => {
            let inviter = server.person(&[]).await;
            ("{code}", server.by(&inviter, "PUT", "/me/invites").expect(200).await.member("code"))
        }
        path if path.starts_with("/me/addresses/") => ("{id}", own_address(server, actor, owner).await),
        path if path.starts_with("/me/sessions/") => ("{id}", another_session(server, owner).await),
        path if path.ends_with("/points/{n}/reverse") => {
            let user = server.person(&[]).await.id;
            let credit = json!({ "points": 5, "reason": "an apology" });
            server.console("POST", &format!("/admin/users/{user}/points")).json(credit).expect(200).await;
            return path.replace("{id}", &user).replace("{n}", "1");
        }
        path if path.starts_with("/admin/users/") => ("{id}", server.person(&[]).await.id),
        path if path.starts_with("/admin/keys/") => ("{id}", server.new_key(&["read"]).await.id),
        path if path.starts_with("/admin/approvals/") => ("{id}", approval(server, row, actor).await),
        path if path.starts_with("/admin/jobs/") => ("{name}", "sweep_links".to_owned()),
        path if path.starts_with("/inventory/pools/{name}") => ("{name}", pool(server, row).await),
        path if path.starts_with("/inventory/holds/{id}") => ("{id}", hold(server).await),
        path if path.starts_with("/trees/{id}") => {
            let tree = server.console("POST", "/trees").json(admission(18)).expect(201).await;
            return path.replace("{id}", &tree.member("id")).replace("{version}", "1");
        }
        path if path.starts_with("/webhooks/{id}") => return webhooks::path(server, row.method, path).await,
        path if path.starts_with("/activities/{id}/block-list") => {
            let (activity, user) = blocked(server).await;
            return path.replace("{id}", &activity).replace("{user}", &user);
        }
        path if path.ends_with("/me/proof/{ticket}") => return proof(server, row, actor, owner).await,
        path if path.starts_with("/play/activities/{id}") => ("{id}", played(server, row).await),
        path if path.starts_with("/play/trees/{id}") => ("{id}", routing(server).await),
        path if path.starts_with("/grant-rules/{id}") => {
            let rule = grants::rule(server, &grants::fresh_kind(), grants::points(5)).await;
            ("{id}", rule["id"].as_str().unwrap().to_owned())
        }
        "/sales/{id}/captcha" | "/sales/{id}/token" | "/sales/{id}/room" | "/sales/{id}/room/live" => {
            ("{id}", gated(server, row, actor).await)
        }
        "/sales/{id}/attempts" => ("{id}", sales::sale(server, json!({})).await),
        "/payments/{provider}/callback" => ("{provider}", "sandbox".to_owned()),
        path if path.starts_with("/attempts/{id}") || path.starts_with("/orders/{id}") => {
            ("{id}", own_order(server, actor, owner).await)
        }
        path if path.starts_with("/admin/orders/{id}") => {
            let (sale, ann) = (sales::sale(server, json!({})).await, server.person(&[]).await);
            let order = sales::ordered(server, &ann, &sale, 1).await;
            sales::press(server, &order, "pay").expect(303).await;
            ("{id}", order)
        }
        path if path.starts_with("/sales/{id}") => {
            ("{id}", sales::published(server, sales::teapots(json!({}))).await)
        }
        "/pictures/{id}" => ("{id}", sales::uploaded(server).await),
        path if path.starts_with("/shop/offers/{id}") => ("{id}", shop::draft(server, json!({})).await),
        "/shop/orders/{id}/refund" => ("{id}", shop::bought(server).await),
        "/shop/{id}/orders" => {
            // Whoever asks can pay.
            let me = actor.sign(server.api("GET", "/me")).send().await;
            if me.status == 200 {
                shop::points(server, &me.member("id"), 10).await;
            }
            ("{id}", shop::offer(server, json!({})).await)
        }
        path if path.starts_with("/shop/{id}") => ("{id}", shop::offer(server, json!({})).await),
        path if path.starts_with("/grants/{id}") => {
            ("{id}", grants::granted(server, &server.person(&[]).await.id).await)
        }
        path if path.starts_with("/behaviours/") => ("{kind}/{id}", grants::behaved(server).await),
        path if path.starts_with("/admin/quarantine/code-pools/{id}") => ("{id}", codes::pool(server).await),
        path if path.starts_with("/code-pools/{id}") => ("{id}", codes::pool(server).await),
        "/fulfilments/{id}/code" => {
            let id = codes::given(server, &fresh_external()).await;
            return format!("/fulfilments/{id}/code?reason=asked");
        }
        path if path.starts_with("/me/wins/") => ("{id}", own_win(server, actor, owner).await),
        "/fulfilments/{id}/redrive" => ("{id}", fulfilment::failed(server).await),
        path if path.starts_with("/outbox/dead-letters/{id}") => ("{id}", fulfilment::failed(server).await),
        path if path.starts_with("/fulfilments/{id}") => {
            let state = match path.rsplit('/').next() {
                Some("ship") => "to_ship",
                Some("deliver" | "report") => "shipped",
                _ => "waiting",
            };
            ("{id}", fulfilment::parcel(server, &server.person(&[]).await, state).await)
        }
        path if path.starts_with("/external-users/") => ("{external_id}", known_external(server).await),
        path => return path.to_owned(),
    };
    assert!(row.path.contains(from), "{} has no {from}", row.path);
    row.path.replace(from, &to)
}

/// The right to one attempt, if whoever signs may have it.
pub async fn may_buy(server: &Server, sale: &str, sign: impl Fn(Call) -> Call) -> Option<String> {
    let asked = sign(server.api("POST", &format!("/sales/{sale}/token"))).json(json!({})).send().await;
    (asked.status == 201).then(|| asked.member("token"))
}

/// An order of the owner's, unpaid.
async fn own_order(server: &Server, actor: &Actor, owner: &Person) -> String {
    let sale = sales::sale(server, json!({})).await;
    let by_key = actor.key.is_some() && actor.person.is_none();
    let sign = |call: Call, by_key: bool| if by_key { actor.sign(call) } else { call.cookie(&owner.cookie) };
    let mut token = if by_key { may_buy(server, &sale, |call| actor.sign(call)).await } else { None };
    // A key that may not act for anybody names what is somebody else's.
    let by_key = token.is_some();
    if token.is_none() {
        token = may_buy(server, &sale, |call| call.cookie(&owner.cookie)).await;
    }
    let attempt = sign(server.api("POST", &format!("/sales/{sale}/attempts")), by_key);
    let made = attempt.json(json!({ "token": token.unwrap() })).expect(202).await.member("id");
    let look = || sign(server.api("GET", &format!("/attempts/{made}?wait_ms=25000")), by_key);
    settled(look, |answer| answer.json()["state"] == "ordered").await;
    made
}

/// Something that the owner won and can claim.
async fn own_win(server: &Server, actor: &Actor, owner: &Person) -> String {
    let prize = json!({ "claim_within": "1d" });
    let by_key = actor.key.is_some() && actor.person.is_none();
    // A key that may not act for anybody names what is somebody else's.
    let by_key = by_key && actor.sign(server.api("GET", "/me/wins")).send().await.status == 200;
    let sign = |call: Call| if by_key { actor.sign(call) } else { call.cookie(&owner.cookie) };
    fulfilment::id(&fulfilment::won(server, &prize, sign).await.1)
}

/// One of the company's own users, made by a fact about them.
async fn known_external(server: &Server) -> String {
    let external = fresh_external();
    let path = format!("/external-users/{external}/facts?create_user=true");
    server.console("PATCH", &path).json(json!({ "seen": true })).expect(200).await;
    external
}

/// An activity that runs, of the kind that the row is about.
async fn played(server: &Server, row: &Row) -> String {
    let form = if row.path.ends_with("/entries") { raffle() } else { generous(9, 99) };
    Crew::new(server).await.publish(form).await
}

/// A sale that runs, with the gate that the row is about; whoever looks at their place has one.
async fn gated(server: &Server, row: &Row, actor: &Actor) -> String {
    let gate = match row.path.trim_start_matches("/sales/{id}/") {
        "captcha" => json!({ "captcha": true }),
        "token" => json!({}),
        _ => json!({ "room": { "per_second": 10 } }),
    };
    let sale = Crew::new(server).await.publish(selling(5, &gate)).await;
    if row.method == "GET" {
        actor.sign(server.api("POST", &format!("/sales/{sale}/room"))).send().await;
    }
    sale
}

/// A ticket of the owner's, once it can be asked for.
async fn proof(server: &Server, row: &Row, actor: &Actor, owner: &Person) -> String {
    let activity = played(server, row).await;
    let by_key = actor.key.is_some() && actor.person.is_none();
    let sign = |call: Call, by_key: bool| if by_key { actor.sign(call) } else { call.cookie(&owner.cookie) };
    let draw = server.api("POST", &format!("/play/activities/{activity}/draws"));
    let draw = draw.json(json!({ "id": fresh_external() }));
    let drawn = sign(draw.clone(), by_key).send().await;
    // A key that may not act for anybody names what is somebody else's.
    let by_key = by_key && drawn.status == 201;
    let drawn = if drawn.status == 201 { drawn } else { draw.cookie(&owner.cookie).expect(201).await };
    let path = format!("/play/activities/{activity}/me/proof/{}", drawn.member("ticket"));
    settled(|| sign(server.api("GET", &path), by_key), |answer| answer.status == 200).await;
    path
}

/// A rule tree that sends everybody to an activity that runs.
async fn routing(server: &Server) -> String {
    let activity = Crew::new(server).await.publish(generous(9, 99)).await;
    let tree = json!({ "name": "one for all", "purpose": "routing",
        "root": 1, "nodes": [{ "id": 1, "leaf": "activity", "activity": activity }] });
    server.console("POST", "/trees").json(tree).expect(201).await.member("id")
}

/// An activity, and somebody on its block list.
async fn blocked(server: &Server) -> (String, String) {
    let (activity, user) = (block_list::activity(server).await, server.person(&[]).await.id);
    let body = json!({ "users": [user], "reason": "scripted" });
    server.console("POST", &format!("/activities/{activity}/block-list")).json(body).expect(200).await;
    (activity, user)
}

/// A pool of ten, closed when it is to be opened again; answers its name, which has a slash in it.
async fn pool(server: &Server, row: &Row) -> String {
    let name = format!("access/{}", fresh_external());
    let open = json!({ "id": fresh_external(), "name": name, "total": 10 });
    server.console("POST", "/inventory/pools").json(open).expect(201).await;
    let name = name.replace('/', "%2F");
    if row.path.ends_with("/reopen") {
        let close = json!({ "id": fresh_external(), "reason": "over" });
        let path = format!("/inventory/pools/{name}/close");
        server.console("POST", &path).json(close).expect(200).await;
    }
    name
}

/// A hold on a pool of its own.
async fn hold(server: &Server) -> String {
    let (id, body) = hold_given(server).await;
    server.console("POST", "/inventory/holds").json(body).expect(201).await;
    id
}

pub async fn hold_given(server: &Server) -> (String, Value) {
    let (id, pool) = (fresh_external(), fresh_external());
    let open = json!({ "id": fresh_external(), "name": pool, "total": 10 });
    server.console("POST", "/inventory/pools").json(open).expect(201).await;
    let lines = json!([{ "pool": pool, "quantity": 1 }]);
    (id.clone(), json!({ "id": id, "lines": lines, "ttl_ms": 600_000 }))
}

pub async fn own_address(server: &Server, actor: &Actor, owner: &Person) -> String {
    let call = server.api("POST", "/me/addresses").json(address("世纪大道 1 号"));
    let by_key = actor.key.is_some() && actor.person.is_none();
    let added = if by_key {
        actor.sign(call.clone()).send().await
    } else {
        call.clone().cookie(&owner.cookie).send().await
    };
    // A key that may not act for anybody names what is somebody else's.
    let added = if added.status == 201 { added } else { call.cookie(&owner.cookie).expect(201).await };
    added.member("id")
}

async fn another_session(server: &Server, owner: &Person) -> String {
    let cookie = server.sign_in(&owner.phone, &owner.password).await;
    let sessions = server.api("GET", "/me/sessions").cookie(&cookie).expect(200).await.items();
    let other = sessions.iter().find(|session| session["current"] == true).unwrap();
    other["id"].as_str().unwrap().to_owned()
}

/// A request for other roles, asked for by an admin who is not the caller unless it is to be withdrawn.
async fn approval(server: &Server, row: &Row, actor: &Actor) -> String {
    let admin = match &actor.person {
        Some(admin) if actor.is_admin() && row.path.ends_with("/withdraw") => admin.clone(),
        _ => server.person(&["admin"]).await,
    };
    let path = format!("/admin/users/{}/roles", server.person(&[]).await.id);
    let body = json!({ "roles": ["operator"], "reason": "joins the team" });
    server.by(&admin, "POST", &path).json(body).expect(202).await.member("approval_id")
}

/// An activity in the state that the row's step begins in. What an author withdraws is their own; what a reviewer decides
/// is somebody else's.
async fn activity(server: &Server, row: &Row, actor: &Actor) -> String {
    let step = row.path.rsplit('/').next().unwrap_or_default();
    let author = match &actor.person {
        Some(person) if row.path == "/activities/{id}/withdraw" && actor.writes() => person.clone(),
        _ => server.person(&["operator"]).await,
    };
    let written = server.by(&author, "POST", "/activities").json(running()).expect(201).await;
    let id = written.member("id");
    let take = |step: &str, by: Option<&Person>| {
        let (path, body) = (format!("/activities/{id}/{step}"), json!({ "reason": "as planned" }));
        let call = by.map_or_else(|| server.console("POST", &path), |by| server.by(by, "POST", &path));
        call.json(body).expect(200)
    };
    let prize = row.path.contains("/prizes/");
    let before: &[&str] = match step {
        _ if prize => &["submit", "approve"],
        "{id}" | "clone" | "discard" | "submit" => &[],
        "withdraw" | "approve" | "refuse" => &["submit"],
        "resume" => &["submit", "approve", "pause"],
        "reopen" => &["submit", "approve", "close"],
        _ => &["submit", "approve"],
    };
    for step in before {
        take(step, (*step == "submit").then_some(&author)).await;
    }
    id
}

/// A post of whoever asks, or of somebody else. What a key names is written by the key's own user.
async fn own_post(server: &Server, row: &Row, actor: &Actor, owner: &Person) -> String {
    if row.method == "GET" || row.path != "/posts/{id}" {
        return community::post(server, &server.person(&[]).await).await;
    }
    if actor.person.is_some() {
        return community::post(server, owner).await;
    }
    let made = actor.sign(server.api("POST", "/posts")).json(community::written("Snow")).send().await;
    if made.status == 201 { made.member("id") } else { "7".to_owned() }
}

/// The same for a comment.
async fn own_comment(server: &Server, row: &Row, actor: &Actor, owner: &Person) -> String {
    let somebody = server.person(&[]).await;
    let path = format!("/threads/post/{}/comments", community::post(server, &somebody).await);
    let say = |call: Call| call.json(json!({ "text": "Snow" }));
    let is_own = row.name() == "DELETE /comments/{id}";
    let made = match (&actor.person, is_own) {
        (_, false) => say(server.by(&somebody, "POST", &path)).send().await,
        (Some(_), true) => say(server.by(owner, "POST", &path)).send().await,
        (None, true) => say(actor.sign(server.api("POST", &path))).send().await,
    };
    if made.status == 201 { made.member("id") } else { "7".to_owned() }
}

/// The case of a message that was reported.
async fn reported_message(server: &Server) -> String {
    let (sender, reporter) = (server.person(&[]).await, server.person(&[]).await);
    community::reported_message(server, &sender, &reporter, "Hello").await
}
