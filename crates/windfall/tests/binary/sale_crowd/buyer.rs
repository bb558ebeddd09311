//! Somebody who wants one, or one of each of two, each in their own way, and remembers everything they were told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use super::bank::Bank;
use super::wire::{Ask, Heard, Wire};

pub const PRICE_MINOR: i64 = 9_900;
/// Of what goes with it in a cart.
pub const CUP_MINOR: i64 = 500;

/// What somebody does once they have an order, and how they click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Pays,
    /// Sends the same request again under the same key.
    PaysUnderAKey,
    /// Clicks twice at once, on two connections.
    DoubleClicks,
    Cancels,
    /// With two payments.
    PaysTwice,
    /// Tells of one payment three times.
    PaysAndTellsThrice,
    CancelsAndPaysLate,
    NeverPays,
}

impl Way {
    pub const ALL: [Self; 8] = [
        Self::Pays,
        Self::PaysUnderAKey,
        Self::DoubleClicks,
        Self::Cancels,
        Self::PaysTwice,
        Self::PaysAndTellsThrice,
        Self::CancelsAndPaysLate,
        Self::NeverPays,
    ];

    const fn under_a_key(self) -> bool {
        match self {
            Self::PaysUnderAKey | Self::PaysTwice | Self::CancelsAndPaysLate => true,
            Self::Pays | Self::DoubleClicks | Self::Cancels | Self::PaysAndTellsThrice | Self::NeverPays => {
                false
            }
        }
    }
}

#[derive(Debug)]
pub struct Buyer {
    pub who: String,
    pub way: Way,
    /// What they want: one sale, or two at once, both or neither.
    pub sales: Vec<String>,
    /// What was told of each attempt: `ordered`, or why it was refused.
    pub told: BTreeMap<String, String>,
    /// A request without a key was on its way when the server went: what came of it is found under their own orders.
    pub in_the_dark: bool,
    /// What they bought, and may have let go of since.
    pub orders: Vec<String>,
    pub sold_out: bool,
    /// Answers, for whoever counts them.
    heard: Arc<AtomicU64>,
    tries: u32,
}

/// What came of one try.
enum Came {
    Order(String),
    SoldOut,
    /// Nothing; trying again is allowed.
    Nothing,
    /// They have one already.
    HasOne,
}

impl Buyer {
    pub fn new(number: usize, sales: &[&str], heard: &Arc<AtomicU64>) -> Self {
        Self {
            who: format!("buyer-{number}"),
            way: Way::ALL[number % Way::ALL.len()],
            sales: sales.iter().map(|sale| (*sale).to_owned()).collect(),
            told: BTreeMap::new(),
            in_the_dark: false,
            orders: Vec::new(),
            sold_out: false,
            heard: Arc::clone(heard),
            tries: 0,
        }
    }

    /// Buys, and does with the order what they do. Nothing is left open when they go.
    pub async fn goes(&mut self, wire: &mut Wire, bank: &Bank) {
        let Some(order) = self.buys(wire).await else { return };
        self.settles(wire, bank, &order).await;
    }

    /// Does with an order what they do.
    pub async fn settles(&self, wire: &mut Wire, bank: &Bank, order: &str) {
        let paid = |nth: u32| format!("{order}-{nth}");
        let price = self.price_minor();
        match self.way {
            Way::Pays | Way::PaysUnderAKey | Way::DoubleClicks => {
                bank.pay(wire, order, price, &paid(1), 1).await;
            }
            Way::PaysAndTellsThrice => bank.pay(wire, order, price, &paid(1), 3).await,
            Way::PaysTwice => {
                for nth in 1..=2 {
                    bank.pay(wire, order, price, &paid(nth), 1).await;
                }
            }
            Way::Cancels => self.lets_go(wire, order).await,
            Way::CancelsAndPaysLate => {
                self.lets_go(wire, order).await;
                bank.pay(wire, order, price, &paid(1), 1).await;
            }
            Way::NeverPays => {}
        }
    }

    fn price_minor(&self) -> i64 {
        if self.sales.len() == 1 { PRICE_MINOR } else { PRICE_MINOR + CUP_MINOR }
    }

    /// Tries until they have one or there are none.
    pub async fn buys(&mut self, wire: &mut Wire) -> Option<String> {
        self.sold_out = false;
        loop {
            self.tries += 1;
            assert!(self.tries < 1_000, "{self:?}");
            let order = match self.tries(wire).await {
                Came::Order(order) => order,
                Came::SoldOut => {
                    self.sold_out = true;
                    return None;
                }
                Came::Nothing => continue,
                // Bought in the dark: the order is among their own.
                Came::HasOne => match self.own_order(wire).await {
                    Some(order) => order,
                    None => continue,
                },
            };
            self.orders.push(order.clone());
            return Some(order);
        }
    }

    async fn tries(&mut self, wire: &mut Wire) -> Came {
        let mut tokens = Vec::new();
        for sale in &self.sales {
            let path = format!("/sales/{sale}/token");
            let token = self.asks(wire, "POST", &path, &[], String::new()).await;
            if token.code() == "sold_out" {
                return Came::SoldOut;
            }
            if token.status != 201 {
                assert_eq!(token.status, 503, "{}: {token:?}", self.who);
                return Came::Nothing;
            }
            tokens.push(token.text("token"));
        }
        let body = match (self.sales.as_slice(), tokens.as_slice()) {
            ([_], [token]) => json!({ "token": token }),
            (sales, tokens) => {
                let line = |(sale, token)| json!({ "sale": sale, "token": token });
                json!({ "lines": sales.iter().zip(tokens).map(line).collect::<Vec<_>>() })
            }
        }
        .to_string();
        let attempt = match self.way {
            Way::DoubleClicks => self.clicks_twice(wire, &body).await,
            _ if self.way.under_a_key() => self.clicks_under_a_key(wire, body).await,
            _ => self.clicks(wire, &body).await,
        };
        let Some(heard) = attempt else {
            self.in_the_dark = true;
            return Came::Nothing;
        };
        match (heard.status, heard.code()) {
            (200 | 202, _) => self.waits(wire, &heard.text("id")).await,
            (409, "sold_out") => Came::SoldOut,
            (409, "attempt_under_way" | "token_spent" | "token_expired") | (503, _) => Came::Nothing,
            _ => panic!("{}: {heard:?}", self.who),
        }
    }

    /// Where to try.
    fn attempts(&self) -> String {
        match self.sales.as_slice() {
            [sale] => format!("/sales/{sale}/attempts"),
            _ => "/attempts".to_owned(),
        }
    }

    async fn clicks(&self, wire: &mut Wire, body: &str) -> Option<Heard> {
        let path = self.attempts();
        let headers = [("windfall-user", &*self.who)];
        let heard =
            wire.ask(&Ask { method: "POST", path: &path, headers: &headers, body: body.to_owned() }).await;
        self.heard.fetch_add(u64::from(heard.is_some()), Ordering::Relaxed);
        heard
    }

    /// At most one of the two is taken in; the other is told why not. Where the server died between them, what became of the
    /// first nobody knows.
    async fn clicks_twice(&self, wire: &mut Wire, body: &str) -> Option<Heard> {
        let mut second = wire.second();
        let (one, two) = tokio::join!(self.clicks(wire, body), self.clicks(&mut second, body));
        let (one, two) = (one?, two?);
        if !wire.has_same_server(&second) {
            return None;
        }
        let taken_in = |heard: &Heard| heard.status == 202;
        assert!(!(taken_in(&one) && taken_in(&two)), "{one:?} {two:?}");
        Some(if taken_in(&two) { two } else { one })
    }

    /// The same again is the same attempt, also after the server was away.
    async fn clicks_under_a_key(&mut self, wire: &mut Wire, body: String) -> Option<Heard> {
        let path = self.attempts();
        let key = format!("{}-{}", self.who, self.told.len());
        let (who, heard) = (self.who.clone(), Arc::clone(&self.heard));
        let headers = [("windfall-user", &*who), ("idempotency-key", &*key)];
        let ask = Ask { method: "POST", path: &path, headers: &headers, body };
        let first = wire.ask_surely(&ask).await;
        heard.fetch_add(1, Ordering::Relaxed);
        if first.status < 300
            && let Some(again) = wire.ask(&ask).await
            && again.status < 300
        {
            assert_eq!(again.status, 200, "{again:?}");
            assert_eq!(first.text("id"), again.text("id"), "{who}");
        }
        Some(first)
    }

    /// The one answer that an attempt has.
    async fn waits(&mut self, wire: &mut Wire, id: &str) -> Came {
        let (told, order) = self.asks_for(wire, id).await;
        match (&*told, order) {
            (_, Some(order)) => Came::Order(order),
            ("sold_out", None) => Came::SoldOut,
            ("limit_reached", None) => Came::HasOne,
            (_, None) => Came::Nothing,
        }
    }

    /// Asks until an attempt is decided; what was told before is told again.
    pub async fn asks_for(&mut self, wire: &mut Wire, id: &str) -> (String, Option<String>) {
        let path = format!("/attempts/{id}?wait_ms=5000");
        let told = loop {
            let heard = self.asks(wire, "GET", &path, &[], String::new()).await;
            assert_eq!(heard.status, 200, "{}: {heard:?}", self.who);
            match heard.body["state"].as_str().unwrap() {
                "queued" => {}
                "ordered" => {
                    let order = heard.text("order");
                    assert_eq!(order, heard.text("code"));
                    // Repeated under its key after the server was away, an attempt is the order that it was then.
                    assert!(order == id || self.way.under_a_key(), "{}: {heard:?}", self.who);
                    break ("ordered".to_owned(), Some(order));
                }
                "refused" => {
                    assert_eq!(heard.text("code"), "-1");
                    break (heard.body["problem"]["code"].as_str().unwrap().to_owned(), None);
                }
                other => panic!("{other}"),
            }
        };
        let known_by = told.1.as_deref().unwrap_or(id).to_owned();
        let before = self.told.insert(known_by, told.0.clone());
        // An answer may leave memory with the process; then what was refused is still no order.
        let same = |before: &String| *before == told.0 || (*before != "ordered" && told.0 == "attempt_lost");
        assert!(before.as_ref().is_none_or(same), "{}: {before:?}, then {told:?}", self.who);
        told
    }

    async fn own_order(&mut self, wire: &mut Wire) -> Option<String> {
        let heard = self.asks(wire, "GET", "/me/orders?state=unpaid", &[], String::new()).await;
        let order = heard.body["items"][0]["id"].as_str().map(str::to_owned);
        order.inspect(|_| assert!(self.in_the_dark || self.way.under_a_key(), "{self:?}"))
    }

    async fn lets_go(&self, wire: &mut Wire, order: &str) {
        let path = format!("/orders/{order}/cancel");
        loop {
            let heard = self.asks(wire, "POST", &path, &[], String::new()).await;
            match heard.status {
                200 => return,
                // Its row comes in a moment; or the server is busy.
                404 | 503 => tokio::task::yield_now().await,
                _ => panic!("{}: {heard:?}", self.who),
            }
        }
    }

    async fn asks(
        &self,
        wire: &mut Wire,
        method: &'static str,
        path: &str,
        headers: &[(&'static str, &str)],
        body: String,
    ) -> Heard {
        let mut all = vec![("windfall-user", &*self.who)];
        all.extend_from_slice(headers);
        let heard = wire.ask_surely(&Ask { method, path, headers: &all, body }).await;
        self.heard.fetch_add(1, Ordering::Relaxed);
        heard
    }
}
