//! A backend that takes from the pools, remembers what it was told, and repeats what it was not told about.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::{Value, json};
use testkit::wait;

use super::op::{Op, POOLS, Told, Units, units_in};
use crate::backend::Backend;
use crate::client::Answer;

/// Statuses of answers after which the same is asked again.
const NOT_NOW: [u64; 2] = [503, 504];

/// A hold as this client was last told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub reserved: Units,
    pub state: &'static str,
    pub taken: Units,
}

#[derive(Debug)]
pub struct Client {
    name: usize,
    random: Random,
    made: u64,
    pub holds: BTreeMap<String, Known>,
    pub restocked: Units,
    pub sold_out: u64,
    /// Sent, and then the server was gone: it may have happened or not.
    pending: Vec<Op>,
}

impl Client {
    pub fn new(name: usize, seed: u64) -> Self {
        let random = Random(seed ^ (name as u64) << 32);
        Self {
            name,
            random,
            made: 0,
            holds: BTreeMap::new(),
            restocked: [0; 3],
            sold_out: 0,
            pending: Vec::new(),
        }
    }

    /// Asks until the server is gone; counts every answer.
    pub async fn go_on(mut self, backend: Backend, answers: Arc<AtomicU64>) -> Self {
        while self.settle(&backend).await.is_some() {
            answers.fetch_add(1, Ordering::Relaxed);
            self.pending = self.next_ops();
        }
        self
    }

    /// Asks until told to stop, and then finishes what it began.
    pub async fn go_until(
        mut self,
        backend: Backend,
        answers: Arc<AtomicU64>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        while !stop.load(Ordering::Relaxed) && self.settle(&backend).await.is_some() {
            answers.fetch_add(1, Ordering::Relaxed);
            self.pending = self.next_ops();
        }
        // Nothing happens if the server is gone.
        let _ = self.settle(&backend).await;
        self
    }

    /// Asks one server after the other until told to stop, and finishes what it began. What was not answered for good is asked
    /// again, of whoever is there.
    pub async fn go_anywhere(
        mut self,
        backends: Vec<Backend>,
        answers: Arc<AtomicU64>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let mut at = self.name;
        loop {
            if self.pending.is_empty() {
                if stop.load(Ordering::Relaxed) {
                    return self;
                }
                self.pending = self.next_ops();
            }
            if self.settle_some(&backends[at % backends.len()]).await {
                answers.fetch_add(1, Ordering::Relaxed);
            } else {
                at += 1;
                wait::pause().await;
            }
        }
    }

    /// Keeps what was answered for good; answers whether that was everything.
    async fn settle_some(&mut self, backend: &Backend) -> bool {
        let told = match self.pending.as_slice() {
            [op] => match op.call(backend).attempt().await {
                Some(answer) => vec![alone(&answer)],
                None => return false,
            },
            ops => {
                let commands: Vec<Value> = ops.iter().map(Op::command).collect();
                match backend.post("/batch", json!({ "commands": commands })).attempt().await {
                    Some(answer) if answer.status == 200 => {
                        answer.json()["outcomes"].as_array().unwrap().iter().map(in_batch).collect()
                    }
                    Some(answer) => {
                        assert!(NOT_NOW.contains(&u64::from(answer.status)), "{}", answer.text());
                        return false;
                    }
                    None => return false,
                }
            }
        };
        assert_eq!(told.len(), self.pending.len());
        for (op, told) in std::mem::take(&mut self.pending).into_iter().zip(told) {
            if NOT_NOW.contains(&told.status) {
                self.pending.push(op);
            } else {
                self.keep(&op, &told);
            }
        }
        self.pending.is_empty()
    }

    /// Takes what is pending to the server and keeps what it says; nothing when the server is gone.
    pub async fn settle(&mut self, backend: &Backend) -> Option<()> {
        let told: Vec<Told> = match self.pending.as_slice() {
            [] => return Some(()),
            [op] => vec![alone(&op.call(backend).attempt().await?)],
            ops => {
                let commands: Vec<Value> = ops.iter().map(Op::command).collect();
                let answer = backend.post("/batch", json!({ "commands": commands })).attempt().await?;
                assert_eq!(answer.status, 200, "{}", answer.text());
                answer.json()["outcomes"].as_array().unwrap().iter().map(in_batch).collect()
            }
        };
        assert_eq!(told.len(), self.pending.len());
        for (op, told) in std::mem::take(&mut self.pending).into_iter().zip(told) {
            self.keep(&op, &told);
        }
        Some(())
    }

    fn keep(&mut self, op: &Op, told: &Told) {
        let unexpected = || panic!("{op:?} was answered {told:?}");
        match (op, told.status) {
            (Op::Reserve { id, units }, 200 | 201) => {
                assert_eq!((units_in(&told.hold, "quantity"), &told.hold["state"]), (*units, &json!("held")));
                let known = Known { reserved: *units, state: "held", taken: [0; 3] };
                self.holds.insert(id.clone(), known);
            }
            (Op::Reserve { .. }, 409) if told.code == "sold_out" => self.sold_out += 1,
            (Op::Confirm { id, units }, 200) => {
                assert_eq!(units_in(&told.hold, "taken"), *units);
                let known = self.holds.get_mut(id).unwrap();
                (known.state, known.taken) = ("confirmed", *units);
            }
            (Op::Cancel { id }, 200) => {
                assert_eq!(told.hold["state"], "cancelled");
                self.holds.get_mut(id).unwrap().state = "cancelled";
            }
            (Op::Restock { pool, quantity, .. }, 200) => self.restocked[*pool] += quantity,
            _ => unexpected(),
        }
    }

    /// One thing to do, or several at once on different holds.
    fn next_ops(&mut self) -> Vec<Op> {
        let count = if self.random.below(10) < 7 { 1 } else { 2 + self.random.below(7) };
        let mut open: Vec<(String, Units)> = self
            .holds
            .iter()
            .filter(|(_, known)| known.state == "held")
            .map(|(id, known)| (id.clone(), known.reserved))
            .collect();
        (0..count).map(|_| self.next_op(&mut open)).collect()
    }

    fn next_op(&mut self, open: &mut Vec<(String, Units)>) -> Op {
        let what = self.random.below(100);
        if what < 8 {
            let (pool, quantity) = (self.random.index(POOLS.len()), 1 + self.random.below(5));
            return Op::Restock { id: self.fresh("restock"), pool, quantity };
        }
        if what < 50 && !open.is_empty() {
            let at = self.random.index(open.len());
            let (id, reserved) = open.swap_remove(at);
            if what < 25 {
                return Op::Cancel { id };
            }
            let mut units = reserved.map(|units| units - self.random.below(units + 1) / 2);
            if units == [0; 3] {
                units = reserved;
            }
            return Op::Confirm { id, units };
        }
        let mut units = [0; 3];
        units[self.random.index(POOLS.len())] += 1 + self.random.below(3);
        units[self.random.index(POOLS.len())] += self.random.below(2);
        Op::Reserve { id: self.fresh("hold"), units }
    }

    fn fresh(&mut self, kind: &str) -> String {
        self.made += 1;
        format!("{kind}-{}-{}", self.name, self.made)
    }
}

fn alone(answer: &Answer) -> Told {
    let hold = if answer.status < 300 { answer.json() } else { Value::Null };
    Told { status: u64::from(answer.status), code: answer.code(), hold }
}

fn in_batch(outcome: &Value) -> Told {
    let code = outcome["problem"]["code"].as_str().unwrap_or_default().to_owned();
    Told { status: outcome["status"].as_u64().unwrap(), code, hold: outcome["hold"].clone() }
}

/// SplitMix64, from one number.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// From 0 to `n - 1`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }

    pub fn index(&mut self, n: usize) -> usize {
        usize::try_from(self.below(n as u64)).unwrap()
    }
}
