//! Rule trees over the API: every flaw at once, versions that never change, and a dry run that says why. Hole 47.

use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::people::{Person, fresh_external};
use crate::process::{Server, shared};

/// Adults may take part, and whoever is a VIP.
pub fn admission(adult: i64) -> Value {
    json!({ "name": "Adults", "purpose": "admission", "root": 1, "nodes": [
        { "id": 1, "name": "Age", "fact": "age", "type": "number",
          "edges": [{ "when": ">=", "value": adult, "to": 8 }], "otherwise": 2 },
        { "id": 2, "fact": "tags", "type": "tags",
          "edges": [{ "when": "in", "values": ["vip", "staff"], "to": 8 }], "otherwise": 9 },
        { "id": 8, "leaf": "allow" },
        { "id": 9, "leaf": "deny" },
    ] })
}

fn next(version: u32, mut tree: Value) -> Value {
    tree["version"] = json!(version);
    tree
}

async fn made(server: &Server, operator: &Person, tree: Value) -> Answer {
    server.by(operator, "POST", "/trees").json(tree).expect(201).await
}

/// `field code` of everything that is wrong.
fn flaws(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    let listed = body["problems"].as_array().cloned().unwrap_or_default();
    listed
        .iter()
        .map(|flaw| {
            assert!(flaw["text"].as_str().is_some_and(|text| !text.is_empty()), "{flaw}");
            format!("{} {}", flaw["field"].as_str().unwrap(), flaw["code"].as_str().unwrap())
        })
        .collect()
}

#[tokio::test]
async fn a_tree_is_saved_version_by_version() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&["operator"]).await, server.person(&["operator"]).await);
    let first = made(server, &ann, admission(18)).await;
    let (id, hash) = (first.member("id"), first.member("hash"));
    assert_eq!(first.header("location"), format!("/api/v1/trees/{id}"));
    let path = format!("/trees/{id}");
    let put = |person: &Person, body: Value| server.by(person, "PUT", &path).json(body);

    let second = put(&bob, next(1, admission(21))).expect(200).await.json();
    assert_eq!((&second["version"], &second["saved_by"]["id"]), (&json!(2), &json!(bob.id)));
    assert_ne!(second["hash"], hash);
    let again = put(&bob, next(1, admission(21))).expect(200).await.json();
    assert_eq!(again, second, "a repetition is answered with what is there");
    let same = put(&ann, next(2, admission(21))).expect(200).await.json();
    assert_eq!(same["version"], 2, "what it says already is not saved again");
    let late = put(&ann, next(1, admission(30))).refused(409, "version_stale").await;
    assert!(late.member("title").contains("Version 2"), "{}", late.text());
    let mut other = next(2, admission(21));
    other["purpose"] = json!("routing");
    other["nodes"] = json!([{ "id": 1, "leaf": "deny" }]);
    let moved = put(&ann, other).refused(400, "invalid_field").await;
    assert_eq!(moved.member("field"), "purpose");

    for (version, age) in [(1, 18), (2, 21)] {
        let kept = server.by(&ann, "GET", &format!("{path}/versions/{version}")).expect(200).await.json();
        let (expected, adult) = (admission(age), &kept["nodes"][0]["edges"][0]["value"]);
        assert_eq!((&kept["nodes"], adult), (&expected["nodes"], &json!(age)), "version {version}");
        assert_eq!((&kept["version"], &kept["newest"]), (&json!(version), &json!(2)));
    }
    assert_eq!(server.by(&ann, "GET", &path).expect(200).await.json(), second, "the newest");
    for version in ["0", "3", "x", "-1"] {
        server.by(&ann, "GET", &format!("{path}/versions/{version}")).refused(404, "not_found").await;
    }
    let log = server.console("GET", &format!("/admin/audit?subject=tree:{id}")).expect(200).await.items();
    let told: Vec<_> = log.iter().map(|line| (&line["action"], &line["after"]["hash"])).collect();
    assert_eq!(told, [(&json!("tree.save"), &second["hash"]), (&json!("tree.create"), &json!(hash))]);
}

#[tokio::test]
async fn the_same_key_makes_one_tree() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let send = |tree: Value| server.by(&ann, "POST", "/trees").header("idempotency-key", "tree-1").json(tree);
    let first = send(admission(18)).expect(201).await.json();
    // The first answer stands, also when a newer version was saved since.
    let path = format!("/trees/{}", first["id"].as_str().unwrap());
    server.by(&ann, "PUT", &path).json(next(1, admission(21))).expect(200).await;
    let again = send(admission(18)).expect(201).await.json();
    assert_eq!((&again["id"], &again["version"], &again["hash"]), (&first["id"], &json!(1), &first["hash"]));
    send(admission(30)).refused(409, "idempotency_conflict").await;
}

#[tokio::test]
async fn trees_are_found_by_name_and_purpose() {
    let (_, server) = shared().await;
    let (ann, eve) = (server.person(&["operator"]).await, server.person(&["reviewer"]).await);
    let mut named = admission(18);
    named["name"] = json!("Only here 只此一处");
    let id = made(server, &ann, named).await.member("id");
    for (query, found) in [
        ("name=only%20HERE", true),
        ("name=%E5%8F%AA%E6%AD%A4&purpose=admission", true),
        ("name=only&purpose=routing", false),
    ] {
        let items = server.by(&eve, "GET", &format!("/trees?{query}")).expect(200).await.items();
        assert_eq!(items.iter().any(|item| item["id"] == json!(id)), found, "{query}");
    }
}

/// What is sent, and everything that is wrong with it.
#[tokio::test]
async fn every_flaw_is_told_at_once() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut tree = admission(18);
        change(&mut tree);
        tree
    };
    for (tree, expected) in [
        (with(&|tree| tree["name"] = json!(" ")), vec!["name too_short"]),
        (with(&|tree| tree["root"] = json!(77)), vec!["nodes root_missing"]),
        (with(&|tree| tree["purpose"] = json!("lottery")), vec!["purpose not_one_of"]),
        (with(&|tree| tree["purpose"] = json!("routing")), vec!["nodes.8 leaf_out_of_place"]),
        (
            with(&|tree| {
                tree["purpose"] = json!("routing");
                tree["nodes"][2] = json!({ "id": 8, "leaf": "activity", "activity": "-5" });
            }),
            vec!["nodes.8.activity activity_unknown"],
        ),
        (
            with(&|tree| {
                tree["name"] = json!("x".repeat(81));
                tree["nodes"][0]["edges"][0]["value"] = json!("18");
                tree["nodes"][0]["otherwise"] = json!(7);
                tree["nodes"][1].as_object_mut().unwrap().remove("otherwise");
            }),
            vec![
                "name too_long",
                "nodes.1.edges[0] type_mismatch",
                "nodes.1.otherwise edge_dangling",
                "nodes.2.otherwise default_missing",
                "nodes.2 unreachable",
                "nodes.9 unreachable",
            ],
        ),
        (
            with(&|tree| {
                tree["nodes"][0]["type"] = json!("date");
                tree["nodes"][1]["edges"][0]["when"] = json!("like");
                tree["nodes"][3]["leaf"] = json!("perhaps");
            }),
            vec!["nodes.1.type not_one_of", "nodes.2.edges[0].when not_one_of", "nodes.9.leaf not_one_of"],
        ),
    ] {
        let refused = server.by(&ann, "POST", "/trees").json(tree.clone()).refused(422, "flawed").await;
        assert_eq!(flaws(&refused), expected, "{tree}");
        let counted = refused.member("title").contains(&expected.len().to_string());
        assert!(counted, "{}", refused.text());
    }
    let chinese = server.by(&ann, "POST", "/trees").header("accept-language", "zh-CN");
    let chinese = chinese.json(with(&|tree| tree["root"] = json!(77))).refused(422, "flawed").await.json();
    assert_eq!(chinese["problems"][0]["text"], "没有根节点。");
}

/// Facts, where they lead, and each decision as `node edge why to`.
#[tokio::test]
async fn a_dry_run_says_where_facts_lead_and_why() {
    let (_, server) = shared().await;
    let (ann, eve) = (server.person(&["operator"]).await, server.person(&["reviewer"]).await);
    let id = made(server, &ann, admission(18)).await.member("id");
    let saved = |facts: &Value| {
        server.by(&eve, "POST", &format!("/trees/{id}/dry-run")).json(json!({ "facts": facts }))
    };
    let draft = |facts: &Value| {
        let body = json!({ "tree": admission(18), "facts": facts });
        server.by(&eve, "POST", "/trees/dry-run").json(body)
    };
    for (facts, leaf, expected, path) in [
        (json!({ "age": 18 }), "allow", vec!["1 0 fits 8"], "0100"),
        (json!({ "age": 17, "tags": ["vip"] }), "allow", vec!["1 null none_fits 2", "2 0 fits 8"], "020100"),
        (json!({ "age": "18" }), "deny", vec!["1 null other_type 2", "2 null missing 9"], "020101"),
        (json!({ "age": null }), "deny", vec!["1 null missing 2", "2 null missing 9"], "020101"),
        (json!({}), "deny", vec!["1 null missing 2", "2 null missing 9"], "020101"),
    ] {
        for (call, version) in [(saved(&facts), json!(1)), (draft(&facts), Value::Null)] {
            let run = call.expect(200).await.json();
            let step = |step: &Value| {
                let why = step["why"].as_str().unwrap();
                format!("{} {} {why} {}", step["node"], step["edge"], step["to"])
            };
            let steps: Vec<_> = run["steps"].as_array().unwrap().iter().map(step).collect();
            assert_eq!(
                (&run["leaf"], steps),
                (&json!(leaf), expected.iter().map(|&s| s.into()).collect()),
                "{run}"
            );
            assert_eq!((&run["path"], &run["version"]), (&json!(path), &version));
        }
    }
    let told = saved(&json!({ "age": 30 })).header("accept-language", "zh-CN").expect(200).await.json();
    let step = &told["steps"][0];
    assert_eq!((&step["name"], &step["fact"], &step["value"]), (&json!("Age"), &json!("age"), &json!(30)));
    assert_eq!(step["text"], "取值命中该分支，且未命中之前的分支。");
    assert_eq!(told["node"], 8);
}

#[tokio::test]
async fn a_version_is_tried_by_its_number() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let id = made(server, &ann, admission(18)).await.member("id");
    let path = format!("/trees/{id}");
    server.by(&ann, "PUT", &path).json(next(1, admission(21))).expect(200).await;
    let run = |body: Value| server.by(&ann, "POST", &format!("{path}/dry-run")).json(body);
    for (version, leaf) in [(json!(1), "allow"), (json!(2), "deny"), (Value::Null, "deny")] {
        let ran = run(json!({ "version": version, "facts": { "age": 19 } })).expect(200).await.json();
        assert_eq!(ran["leaf"], leaf, "{version}");
    }
    run(json!({ "version": 3 })).refused(404, "not_found").await;
}

/// A dry run for a user sees what a draw would see: the facts that were set, and what Windfall knows by itself.
#[tokio::test]
async fn hole_47_facts_come_from_the_server_never_from_the_player() {
    let (_, server) = shared().await;
    let (ann, player) = (server.person(&["operator"]).await, server.person(&[]).await);
    let facts = |person: &Person| server.by(person, "PATCH", &format!("/admin/users/{}/facts", player.id));
    for (call, status, code) in [
        (facts(&player).json(json!({ "age": 30 })), 403, "forbidden"),
        (server.by(&player, "PATCH", "/me").json(json!({ "age": 30 })), 400, "invalid_field"),
        (server.by(&player, "PATCH", "/me").json(json!({ "facts": { "age": 30 } })), 400, "invalid_field"),
        (server.by(&player, "POST", "/trees/dry-run").json(json!({})), 403, "forbidden"),
    ] {
        call.refused(status, code).await;
    }
    let id = made(server, &ann, admission(18)).await.member("id");
    let run = |tree: &str, extra: Value| {
        let mut body = json!({ "user_id": player.id });
        body.as_object_mut().unwrap().extend(extra.as_object().cloned().unwrap());
        server.by(&ann, "POST", &format!("/trees/{tree}/dry-run")).json(body)
    };
    assert_eq!(run(&id, json!({})).expect(200).await.json()["leaf"], "deny", "nothing is known of them");
    let set =
        |facts: Value| server.console("PATCH", &format!("/admin/users/{}/facts", player.id)).json(facts);
    set(json!({ "age": 30 })).expect(200).await;
    assert_eq!(run(&id, json!({})).expect(200).await.json()["leaf"], "allow");
    let without = json!({ "facts": { "age": null } });
    assert_eq!(run(&id, without).expect(200).await.json()["leaf"], "deny", "tried without it");

    // What Windfall knows by itself is set by nobody, and is refused by name with everything that came beside it.
    for (fact, value) in [
        ("level", json!(99)),
        ("phone_verified", json!(false)),
        ("registered_day", json!(20_000_101)),
        ("registered_days_ago", json!(9_999)),
    ] {
        let refused = set(json!({ "age": 31, fact: value })).refused(409, "fact_reserved").await;
        assert!(refused.json()["title"].as_str().unwrap().contains(fact), "{}", refused.text());
        set(json!({ fact: null })).expect(200).await;
        let key = server.new_key(&["facts"]).await;
        let by_key = server
            .api("PATCH", &format!("/external-users/{}/facts?create_user=true", fresh_external()))
            .key(&key.secret);
        by_key.json(json!({ fact: value })).refused(409, "fact_reserved").await;
    }
    let known = server.by(&ann, "GET", &format!("/admin/users/{}/facts", player.id)).send().await;
    assert_eq!(known.json()["facts"]["age"]["value"], 30, "all of them or none: {}", known.text());
    for (fact, kind, value) in [
        ("phone_verified", "flag", json!(true)),
        ("registered_days_ago", "number", json!(0)),
        ("level", "number", json!(1)),
    ] {
        let tree = json!({ "name": fact, "purpose": "admission", "root": 1, "nodes": [
            { "id": 1, "fact": fact, "type": kind, "edges": [{ "when": "=", "value": value, "to": 2 }], "otherwise": 3 },
            { "id": 2, "leaf": "allow" }, { "id": 3, "leaf": "deny" },
        ] });
        let id = made(server, &ann, tree).await.member("id");
        let ran = run(&id, json!({})).expect(200).await.json();
        // A test that runs over midnight meets a player of yesterday.
        let seen = &ran["steps"][0]["value"];
        assert!(*seen == value || (fact == "registered_days_ago" && *seen == json!(1)), "{fact}: {ran}");
    }
    let nobody = server.by(&ann, "POST", &format!("/trees/{id}/dry-run")).json(json!({ "user_id": "404" }));
    nobody.refused(404, "not_found").await;
}

#[tokio::test]
async fn hole_47_a_cycle_is_refused_when_it_is_saved() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let id = made(server, &ann, admission(18)).await.member("id");
    let mut ring = admission(18);
    ring["nodes"][1]["otherwise"] = json!(1);
    let calls: [Call; 3] = [
        server.by(&ann, "POST", "/trees").json(ring.clone()),
        server.by(&ann, "PUT", &format!("/trees/{id}")).json(next(1, ring.clone())),
        server.by(&ann, "POST", "/trees/dry-run").json(json!({ "tree": ring, "facts": {} })),
    ];
    for call in calls {
        let told = flaws(&call.refused(422, "flawed").await);
        assert!(told.contains(&"nodes.2.otherwise edge_closes_cycle".to_owned()), "{told:?}");
    }
    assert_eq!(server.by(&ann, "GET", &format!("/trees/{id}")).expect(200).await.json()["version"], 1);
}

/// As everywhere else: a mistyped id makes nobody, unless the key asks for an account.
#[tokio::test]
async fn facts_about_a_mistyped_external_id_make_nobody() {
    let (_, server) = shared().await;
    let (key, external) = (server.new_key(&["facts"]).await, fresh_external());
    let path = format!("/external-users/{external}/facts");
    let set = |query: &str| {
        server.api("PATCH", &format!("{path}{query}")).key(&key.secret).json(json!({ "vip": true }))
    };
    set("").refused(404, "not_found").await;
    set("?create_user=false").refused(404, "not_found").await;
    set("?create_user=maybe").refused(400, "invalid_field").await;
    let known = || server.console("GET", &format!("/admin/users?external_id={external}"));
    assert!(known().expect(200).await.items().is_empty(), "nobody was made");
    set("?create_user=true").expect(200).await;
    assert_eq!(known().expect(200).await.items().len(), 1);
    set("").expect(200).await;
}

/// As of every write: under the same key the same answer, also after others have saved newer versions.
#[tokio::test]
async fn a_version_is_saved_once_under_a_key() {
    let (_, server) = shared().await;
    let id = server.console("POST", "/trees").json(admission(18)).expect(201).await.member("id");
    let save = |version: u32, adult: i64, key: &str| {
        let mut body = admission(adult);
        body["version"] = json!(version);
        server.console("PUT", &format!("/trees/{id}")).header("idempotency-key", key).json(body)
    };
    let key = fresh_external();
    assert_eq!(save(1, 21, &key).expect(200).await.json()["version"], 2);
    assert_eq!(save(2, 30, &fresh_external()).expect(200).await.json()["version"], 3);
    let again = save(1, 21, &key).expect(200).await.json();
    assert_eq!((&again["version"], &again["newest"]), (&json!(2), &json!(3)), "{again}");
    save(1, 22, &key).refused(409, "idempotency_conflict").await;
}
