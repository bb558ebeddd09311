//! One run: two nodes, the log's server, clients, and a network that loses and delays.

use super::fault::Fault;
use super::node::{Act, Node, Question, Reply, Wish};
use super::random::Random;
use super::server::{LogServer, Request, Response};

const STEPS: u64 = 1_500;
/// Time without trouble at the end, after which somebody leads.
const CALM_MS: u64 = 3_000;
/// A clock may go faster or slower by so much: together less than the margin.
const DRIFT_PERCENT: u64 = 8;

#[derive(Clone, Copy, Debug)]
enum Body {
    Request(Request),
    Response(Response),
}

#[derive(Clone, Copy, Debug)]
struct Message {
    at: u64,
    node: usize,
    number: u64,
    body: Body,
}

/// What a run went through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    accepted: u64,
    refused: u64,
    counted: u64,
    dropped: u64,
    claims: u64,
    fenced: u64,
    doubts: u64,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.counted += other.counted;
        self.dropped += other.dropped;
        self.claims += other.claims;
        self.fenced += other.fenced;
        self.doubts += other.doubts;
    }

    /// Whether everything happened that a run is for.
    pub fn is_rich(self) -> bool {
        let Self { accepted, refused, counted, dropped, claims, fenced, doubts } = self;
        [accepted, refused, counted, dropped, claims, fenced, doubts].iter().all(|count| *count > 0)
    }
}

pub struct World {
    random: Random,
    now: u64,
    server: LogServer,
    nodes: [Node; 2],
    /// Until when a node does nothing, and until when it is cut off from the server.
    paused_until: [u64; 2],
    cut_until: [u64; 2],
    network: Vec<Message>,
    ids: u64,
    calm: bool,
    counts: Counts,
}

impl World {
    pub fn new(seed: u64, fault: Option<Fault>) -> Self {
        let mut random = Random::new(seed);
        let mut node = || {
            let rate = random.between(100 - DRIFT_PERCENT, 100 + DRIFT_PERCENT);
            let wall_off_ms = i64::try_from(random.between(0, 2_000)).unwrap() - 1_000;
            Node::new(fault, rate, wall_off_ms)
        };
        let nodes = [node(), node()];
        Self {
            random,
            now: 0,
            server: LogServer::new(fault),
            nodes,
            paused_until: [0; 2],
            cut_until: [0; 2],
            network: Vec::new(),
            ids: 0,
            calm: false,
            counts: Counts::default(),
        }
    }

    pub fn run(mut self) -> Result<Counts, String> {
        for _ in 0..STEPS {
            self.step()?;
        }
        self.end()?;
        for node in &self.nodes {
            self.counts.claims += node.claims;
            self.counts.fenced += node.fenced;
            self.counts.doubts += node.doubts;
        }
        Ok(self.counts)
    }

    fn step(&mut self) -> Result<(), String> {
        self.now += self.random.between(1, 4);
        self.deliver()?;
        if !self.calm {
            self.trouble();
        }
        if self.random.percent(30) {
            self.ask();
        }
        for node in 0..self.nodes.len() {
            if self.now >= self.paused_until[node]
                && let Some(act) = self.nodes[node].tick(self.now)
            {
                self.carry_out(node, act)?;
            }
        }
        Ok(())
    }

    /// Without trouble somebody leads and answers.
    fn end(&mut self) -> Result<(), String> {
        self.calm = true;
        let told = |counts: &Counts| counts.accepted + counts.refused + counts.counted;
        let end = self.now + CALM_MS;
        let mut before = told(&self.counts);
        while self.now < end {
            self.step()?;
            if self.now < end - CALM_MS / 2 {
                before = told(&self.counts);
            }
        }
        if told(&self.counts) == before {
            return Err("nobody leads, though nothing is wrong any more".to_owned());
        }
        Ok(())
    }

    fn trouble(&mut self) {
        let node = usize::try_from(self.random.between(0, 1)).unwrap();
        if self.random.percent(1) {
            self.paused_until[node] = self.now + self.random.between(20, 400);
        }
        if self.random.percent(1) {
            self.cut_until[node] = self.now + self.random.between(20, 400);
        }
    }

    /// Clients do not know who leads.
    fn ask(&mut self) {
        let wish = match self.random.between(0, 9) {
            0..=3 => Wish::Take,
            4..=6 => Wish::Restock,
            _ => Wish::Count,
        };
        // Mostly sold out, so that a "no" is often at stake.
        let wish =
            if matches!(wish, Wish::Restock) && self.server.available() > 1 { Wish::Take } else { wish };
        self.ids += 1;
        let question = Question { id: self.ids, wish, asked_at: self.now };
        let node = usize::try_from(self.random.between(0, 1)).unwrap();
        self.nodes[node].questions.push_back(question);
        if self.nodes[node].questions.len() > 8 {
            self.nodes[node].questions.pop_front();
        }
    }

    fn deliver(&mut self) -> Result<(), String> {
        while let Some(at) = self.next_due() {
            let Message { node, number, body, .. } = self.network.remove(at);
            match body {
                Body::Request(request) => {
                    let response = self.server.execute(self.now, node, request);
                    self.send(node, number, Body::Response(response));
                }
                Body::Response(response) => {
                    if let Some(act) = self.nodes[node].hear(self.now, number, response) {
                        self.carry_out(node, act)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The earliest message whose time has come; one for a node that is paused waits for it.
    fn next_due(&self) -> Option<usize> {
        let due = |message: &Message| {
            let awake =
                matches!(message.body, Body::Request(_)) || self.now >= self.paused_until[message.node];
            message.at <= self.now && awake
        };
        let messages = self.network.iter().enumerate().filter(|(_, message)| due(message));
        messages.min_by_key(|(_, message)| message.at).map(|(at, _)| at)
    }

    fn carry_out(&mut self, node: usize, act: Act) -> Result<(), String> {
        match act {
            Act::Send { number, request } => self.send(node, number, Body::Request(request)),
            Act::Tell { question, reply } => self.tell(node, question, reply)?,
            Act::Drop => self.counts.dropped += 1,
        }
        Ok(())
    }

    /// Lost, late, or soon.
    fn send(&mut self, node: usize, number: u64, body: Body) {
        let cut = self.now < self.cut_until[node];
        if !self.calm && (cut || self.random.percent(4)) {
            return;
        }
        let late = !self.calm && self.random.percent(10);
        let delay = if late { self.random.between(20, 300) } else { self.random.between(0, 6) };
        self.network.push(Message { at: self.now + delay, node, number, body });
    }

    /// What is told was so at some moment since it was asked.
    fn tell(&mut self, node: usize, question: Question, reply: Reply) -> Result<(), String> {
        let since = question.asked_at;
        let (is_so, count) = match reply {
            Reply::Accepted => {
                let times = self.server.ids.iter().filter(|id| **id == question.id).count();
                (times == 1, &mut self.counts.accepted)
            }
            Reply::SoldOut => (self.server.was_available(since, 0), &mut self.counts.refused),
            Reply::Available(units) => (self.server.was_available(since, units), &mut self.counts.counted),
        };
        *count += 1;
        if is_so && self.server.available() >= 0 {
            return Ok(());
        }
        let (now, available) = (self.now, self.server.available());
        Err(format!("at {now} node {node} told {reply:?} to {question:?}, and {available} are available"))
    }
}
