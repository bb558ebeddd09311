//! Stock through the API: what a company's backend meets, step by step.

use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::people::{Key, fresh_external};
use crate::process::{Home, LIMIT, Server, shared};

/// A backend with a key for stock.
struct Backend<'a> {
    server: &'a Server,
    key: Key,
}

impl<'a> Backend<'a> {
    async fn new(server: &'a Server) -> Self {
        Self { server, key: server.new_key(&["inventory"]).await }
    }

    fn call(&self, method: &str, path: &str) -> Call {
        self.server.api(method, &format!("/inventory{path}")).key(&self.key.secret)
    }

    fn post(&self, path: &str, body: Value) -> Call {
        self.call("POST", path).json(body)
    }

    /// A new pool of so many units; answers its name.
    async fn pool(&self, total: u64) -> String {
        let name = format!("store-7/{}", fresh_external());
        let open = json!({ "id": fresh_external(), "name": name, "total": total });
        self.post("/pools", open).expect(201).await;
        name
    }

    fn reserve(&self, id: &str, pool: &str, quantity: i64) -> Call {
        let lines = json!([{ "pool": pool, "quantity": quantity }]);
        self.post("/holds", json!({ "id": id, "lines": lines, "ttl_ms": 600_000 }))
    }

    /// `[total, available, held, taken]` as they are now.
    async fn counters(&self, pool: &str) -> [u64; 4] {
        let pool = self.call("GET", &format!("/pools/{}", part(pool))).expect(200).await.json();
        ["total", "available", "held", "taken"].map(|counter| pool[counter].as_u64().unwrap())
    }

    /// Movements of a pool once there are so many, oldest first.
    async fn movements(&self, pool: &str, count: usize) -> Vec<Value> {
        let path = format!("/pools/{}/movements", part(pool));
        settled(|| self.call("GET", &path), |answer| answer.items().len() == count).await;
        let mut items = self.call("GET", &path).expect(200).await.items();
        items.reverse();
        items
    }
}

/// A name as one part of an address.
fn part(name: &str) -> String {
    name.replace('/', "%2F")
}

/// Asks again until the answer is as it should be: rows follow the ledger by a moment.
async fn settled(call: impl Fn() -> Call, settled: impl Fn(&Answer) -> bool) -> Answer {
    let started = std::time::Instant::now();
    loop {
        let answer = call().expect(200).await;
        if settled(&answer) {
            return answer;
        }
        assert!(started.elapsed() < LIMIT, "it does not settle: {}", answer.text());
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_pool_is_made_changed_closed_and_opened_again() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let name = format!("store-7/tea/{}", fresh_external());
    let id = fresh_external();
    let open = json!({ "id": id, "name": name, "total": 10, "owner_max": 4, "reason": "开售" });
    let made = backend.post("/pools", open.clone()).expect(201).await;
    assert_eq!(made.header("location"), format!("/api/v1/inventory/pools/{}", part(&name)));
    let expected = json!({ "name": name, "round": 1, "state": "open", "owner_max": 4,
        "total": 10, "available": 10, "held": 0, "taken": 0 });
    assert_eq!(made.json(), expected);
    assert_eq!(backend.post("/pools", open).expect(200).await.json(), expected, "the same again");
    let other = json!({ "id": id, "name": name, "total": 11 });
    backend.post("/pools", other).refused(409, "conflict").await;

    let to = |what: &str, body: Value| backend.post(&format!("/pools/{}/{what}", part(&name)), body);
    let restock = json!({ "id": fresh_external(), "quantity": 5, "reason": "delivery 7" });
    for _ in 0..2 {
        to("restock", restock.clone()).expect(200).await;
    }
    to("adjust", json!({ "id": fresh_external(), "delta": -3, "reason": "broken" })).expect(200).await;
    assert_eq!(backend.counters(&name).await, [12, 12, 0, 0], "a repetition adds nothing");
    to("limit", json!({ "id": fresh_external(), "owner_max": 2 })).expect(200).await;
    let state = |what: &str| to(what, json!({ "id": fresh_external(), "reason": "stocktaking" }));
    assert_eq!(state("freeze").expect(200).await.member("state"), "frozen");
    let refused = backend.reserve(&fresh_external(), &name, 1).refused(409, "frozen").await;
    assert_eq!(refused.member("pool"), name);
    assert_eq!(state("thaw").expect(200).await.member("state"), "open");
    assert_eq!(state("close").expect(200).await.member("state"), "closed");
    backend.reserve(&fresh_external(), &name, 1).refused(409, "closed").await;
    let reopened = to("reopen", json!({ "id": fresh_external(), "round": 2, "total": 3 })).expect(201).await;
    assert_eq!((&reopened.json()["round"], &reopened.json()["total"]), (&json!(2), &json!(3)));

    let movements = backend.movements(&name, 8).await;
    let kinds: Vec<_> = movements.iter().map(|movement| movement["kind"].as_str().unwrap()).collect();
    let expected = ["opened", "adjusted", "adjusted", "limited", "frozen", "thawed", "closed", "opened"];
    assert_eq!(kinds, expected);
    assert_eq!((&movements[1]["reason"], &movements[1]["total"]), (&json!("delivery 7"), &json!(5)));
    assert!(movements.iter().all(|movement| movement["by"] == backend.key.id.as_str()), "{movements:?}");
}

#[tokio::test]
async fn a_hold_goes_through_its_life() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, cup) = (backend.pool(10).await, backend.pool(10).await);
    let id = format!("order/{}", fresh_external());
    let lines = json!([{ "pool": tea, "quantity": 2 }, { "pool": cup, "quantity": 1 }, { "pool": tea, "quantity": 1 }]);
    let body = json!({ "id": id, "lines": lines, "owner": "ann", "ttl_ms": 60_000 });
    let made = backend.post("/holds", body.clone()).expect(201).await;
    let place = format!("/holds/{}", part(&id));
    assert_eq!(made.header("location"), format!("/api/v1/inventory{place}"));
    let hold = made.json();
    let line = |pool: &str, quantity: u32, taken: u32| json!({ "pool": pool, "round": 1, "quantity": quantity, "taken": taken });
    assert_eq!(
        (&hold["state"], &hold["lines"]),
        (&json!("held"), &json!([line(&tea, 3, 0), line(&cup, 1, 0)]))
    );
    assert_eq!(backend.post("/holds", body).expect(200).await.json(), hold, "the same again");
    assert_eq!(backend.counters(&tea).await, [10, 7, 3, 0]);

    let due = hold["due_ms"].as_i64().unwrap() + 60_000;
    let extended = backend.post(&format!("{place}/extend"), json!({ "until_ms": due })).expect(200).await;
    assert_eq!(extended.json()["due_ms"], due);
    let part_of_it = json!({ "lines": [{ "pool": tea, "quantity": 2 }] });
    for _ in 0..2 {
        let confirmed =
            backend.post(&format!("{place}/confirm"), part_of_it.clone()).expect(200).await.json();
        assert_eq!(confirmed["lines"], json!([line(&tea, 3, 2), line(&cup, 1, 0)]));
    }
    backend.post(&format!("{place}/confirm"), json!({})).refused(409, "already_confirmed").await;
    backend.call("POST", &format!("{place}/cancel")).refused(409, "already_confirmed").await;
    assert_eq!(backend.counters(&tea).await, [10, 8, 0, 2]);
    assert_eq!(backend.counters(&cup).await, [10, 10, 0, 0]);

    let whole = |answer: &Answer| answer.json()["life"].as_array().unwrap().len() == 3;
    let story = settled(|| backend.call("GET", &place), whole).await.json();
    let life: Vec<_> = story["life"].as_array().unwrap().iter().map(|step| step["what"].clone()).collect();
    assert_eq!(life, ["reserved", "extended", "confirmed"]);
    assert_eq!((&story["owner"], &story["state"]), (&json!("ann"), &json!("confirmed")));
}

/// Each way to be refused for stock names the pool and the figures.
#[tokio::test]
async fn refusals_carry_their_figures() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, cup) = (backend.pool(3).await, backend.pool(10).await);
    let body = json!({ "id": fresh_external(), "ttl_ms": 60_000,
        "lines": [{ "pool": cup, "quantity": 1 }, { "pool": tea, "quantity": 4 }] });
    let refused = backend.post("/holds", body).refused(409, "sold_out").await.json();
    assert_eq!((&refused["pool"], &refused["left"]), (&json!(tea), &json!(3)));
    assert_eq!(backend.counters(&cup).await, [10, 10, 0, 0], "all or nothing");

    let limit = json!({ "id": fresh_external(), "owner_max": 2 });
    backend.post(&format!("/pools/{}/limit", part(&cup)), limit).expect(200).await;
    let take = |quantity: u32| {
        let lines = json!([{ "pool": cup, "quantity": quantity }]);
        backend.post(
            "/holds",
            json!({ "id": fresh_external(), "lines": lines, "owner": "ann", "ttl_ms": 60_000 }),
        )
    };
    take(1).expect(201).await;
    let refused = take(2).refused(409, "limit_reached").await.json();
    assert_eq!((&refused["pool"], &refused["limit"], &refused["has"]), (&json!(cup), &json!(2), &json!(1)));
    let adjust = json!({ "id": fresh_external(), "delta": -10, "reason": "x" });
    let refused =
        backend.post(&format!("/pools/{}/adjust", part(&cup)), adjust).refused(409, "not_free").await;
    assert_eq!(refused.json()["left"], 9);
}

/// A cancellation that overtakes its reserve spends the id, and is as safe to repeat as any other.
#[tokio::test]
async fn a_cancel_before_its_reserve_spends_the_id() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, id) = (backend.pool(3).await, fresh_external());
    let cancel = || backend.call("POST", &format!("/holds/{id}/cancel"));
    let first = cancel().expect(200).await.json();
    assert_eq!(first, json!({ "id": id, "state": "cancelled", "lines": [] }));
    backend.reserve(&id, &tea, 1).refused(409, "already_cancelled").await;
    assert_eq!(cancel().expect(200).await.json(), first);
    let spent = |answer: &Answer| answer.status == 200;
    let story = wait_for(|| backend.call("GET", &format!("/holds/{id}")), spent).await.json();
    assert_eq!(story["life"][0]["what"], "spent");
    assert_eq!(cancel().expect(200).await.json(), first, "also when it has left memory");
}

/// The same without asking for a status.
async fn wait_for(call: impl Fn() -> Call, settled: impl Fn(&Answer) -> bool) -> Answer {
    let started = std::time::Instant::now();
    loop {
        let answer = call().send().await;
        if settled(&answer) {
            return answer;
        }
        assert!(started.elapsed() < LIMIT, "it does not come: {}", answer.text());
        tokio::task::yield_now().await;
    }
}

/// A hold is over at its end, whoever asks, and its units are free again.
#[tokio::test]
async fn a_hold_expires() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, id) = (backend.pool(3).await, fresh_external());
    let body = json!({ "id": id, "lines": [{ "pool": tea, "quantity": 3 }], "ttl_ms": 100 });
    backend.post("/holds", body).expect(201).await;
    let path = format!("/pools/{}", part(&tea));
    settled(|| backend.call("GET", &path), |answer| answer.json()["available"] == 3).await;
    backend.post(&format!("/holds/{id}/confirm"), json!({})).refused(409, "expired").await;
    assert_eq!(backend.call("GET", &format!("/holds/{id}")).expect(200).await.member("state"), "expired");
}

#[tokio::test]
async fn pools_are_listed_newest_first_and_searched() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let mark = fresh_external();
    let names: Vec<String> =
        ["north/tea", "north/Cup", "south/tea"].iter().map(|name| format!("{mark}/{name}")).collect();
    for name in &names {
        let open = json!({ "id": format!("open {name}"), "name": name, "total": 1 });
        backend.post("/pools", open).expect(201).await;
    }
    let list = |query: String| move |backend: &Backend<'_>| backend.call("GET", &format!("/pools?{query}"));
    let all = list(format!("under={mark}%2F"));
    settled(|| all(&backend), |answer| answer.items().len() == 3).await;
    for (query, expected) in [
        (format!("under={mark}%2F"), vec![2, 1, 0]),
        (format!("under={mark}%2Fnorth"), vec![1, 0]),
        (format!("under={mark}&q=CUP"), vec![1]),
        (format!("under={mark}&q=%25"), vec![]),
        (format!("under={mark}&limit=1"), vec![2]),
    ] {
        let found = list(query.clone())(&backend).expect(200).await.items();
        let found: Vec<_> = found.iter().map(|pool| pool["name"].as_str().unwrap().to_owned()).collect();
        let expected: Vec<_> = expected.into_iter().map(|at: usize| names[at].clone()).collect();
        assert_eq!(found, expected, "{query}");
    }
    let first = list(format!("under={mark}&limit=2"))(&backend).expect(200).await;
    let next =
        list(format!("under={mark}&limit=2&after={}", first.member("next")))(&backend).expect(200).await;
    assert_eq!(next.items()[0]["name"], names[0].as_str());
}

/// A thousand commands in one request; what is wrong with one is its own affair.
#[tokio::test]
async fn a_batch_answers_each_command_by_itself() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let (tea, mark) = (backend.pool(300).await, fresh_external());
    let id = |n: usize| format!("{mark}-{n}");
    let mut commands: Vec<Value> = (0..990)
        .map(|n| {
            json!({ "do": "reserve", "id": id(n), "lines": [{ "pool": tea, "quantity": 1 }], "ttl_ms": 600_000 })
        })
        .collect();
    commands.extend([
        json!({ "do": "confirm", "id": id(0) }),
        json!({ "do": "cancel", "id": id(1) }),
        json!({ "do": "confirm", "id": "nobody" }),
        json!({ "do": "restock", "id": id(2), "pool": tea, "quantity": 50, "reason": "more" }),
        json!({ "do": "restock", "id": id(2), "pool": tea, "quantity": 51, "reason": "more" }),
        json!({ "do": "open", "id": id(3), "name": format!("batch/{mark}"), "total": 7 }),
        json!({ "do": "dance" }),
        json!({ "do": "cancel", "id": 7 }),
        json!(7),
        json!({ "do": "reserve", "id": id(1_000), "lines": [], "ttl_ms": 1 }),
    ]);
    let body = json!({ "commands": commands });
    let told = backend.post("/batch", body.clone()).expect(200).await.json();
    let outcomes = told["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 1_000);
    for (n, outcome) in outcomes[..300].iter().enumerate() {
        assert_eq!((&outcome["status"], &outcome["hold"]["id"]), (&json!(201), &json!(id(n))));
    }
    for outcome in &outcomes[300..990] {
        let problem = &outcome["problem"];
        assert_eq!(
            (&outcome["status"], &problem["code"], &problem["left"]),
            (&json!(409), &json!("sold_out"), &json!(0))
        );
    }
    let rest: Vec<_> = outcomes[990..]
        .iter()
        .map(|outcome| {
            (outcome["status"].as_u64().unwrap(), outcome["problem"]["code"].as_str().unwrap_or(""))
        })
        .collect();
    let expected = [
        (200, ""),
        (200, ""),
        (404, "hold_unknown"),
        (200, ""),
        (409, "conflict"),
        (201, ""),
        (400, "invalid_field"),
        (400, "invalid_field"),
        (400, "body_malformed"),
        (400, "invalid_field"),
    ];
    assert_eq!(rest, expected);
    assert_eq!(backend.counters(&tea).await, [350, 51, 298, 1]);
    let again = backend.post("/batch", body).expect(200).await.json();
    assert_eq!(again["outcomes"][0]["status"], 200, "safe to repeat: the hold is there already");
    assert_eq!(backend.counters(&tea).await[0], 350);
}

/// The bytes of a stream, piece by piece.
struct Stream(hyper::body::Incoming);

impl Stream {
    async fn open(server: &Server, key: &Key, path: &str) -> Self {
        let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(hyper_util::rt::TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let request = http::Request::get(format!("/api/v1/inventory{path}"))
            .header("host", "windfall.test")
            .header("authorization", format!("Bearer {}", key.secret))
            .body(http_body_util::Empty::<hyper::body::Bytes>::new());
        let response = sender.send_request(request.unwrap()).await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        Self(response.into_body())
    }

    /// The next counters; nothing when the stream is over.
    async fn next(&mut self) -> Option<Value> {
        let frame = tokio::time::timeout(LIMIT, self.0.frame()).await.expect("an event in time")?;
        let text = String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap();
        let data = text.strip_prefix("event: counters\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
        Some(serde_json::from_str(data.unwrap_or_else(|| panic!("not an event: {text:?}"))).unwrap())
    }
}

#[tokio::test]
async fn a_stream_tells_a_pools_counters_and_ends_with_the_server() {
    let home = Home::with(&[("WINDFALL__HTTP__STREAMS_MAX", "2")]);
    let server = home.start("serve").await;
    let backend = Backend::new(&server).await;
    let tea = backend.pool(5).await;
    let path = format!("/pools/{}/events", part(&tea));
    let mut streams =
        [Stream::open(&server, &backend.key, &path).await, Stream::open(&server, &backend.key, &path).await];
    for stream in &mut streams {
        assert_eq!(stream.next().await.unwrap()["available"], 5, "the first event comes at once");
    }
    let full = backend.call("GET", &path).refused(503, "streams_full").await;
    assert_eq!(full.header("retry-after"), "5");
    backend.reserve("a", &tea, 2).expect(201).await;
    for stream in &mut streams {
        let told = stream.next().await.unwrap();
        assert_eq!((&told["name"], &told["available"], &told["held"]), (&json!(tea), &json!(3), &json!(2)));
    }
    let [first, mut last] = streams;
    drop(first);
    wait_for(|| backend.call("GET", &path), |answer| answer.status == 200).await;
    server.signal("TERM");
    assert_eq!(last.next().await, None, "the stream ends");
    assert!(server.ended().await.success());
    assert!(!home.log().contains("the drain time is over"), "no stream holds up a stop");
}

/// People of the staff change stock too, under their own name.
#[tokio::test]
async fn an_operators_change_carries_their_name() {
    let (_, server) = shared().await;
    let backend = Backend::new(server).await;
    let tea = backend.pool(5).await;
    let operator = server.person(&["operator"]).await;
    let body = json!({ "id": fresh_external(), "quantity": 1, "reason": "found one" });
    let path = format!("/inventory/pools/{}/restock", part(&tea));
    server.by(&operator, "POST", &path).json(body).expect(200).await;
    let movements = backend.movements(&tea, 2).await;
    assert_eq!((&movements[1]["by"], &movements[1]["reason"]), (&json!(operator.id), &json!("found one")));
}
