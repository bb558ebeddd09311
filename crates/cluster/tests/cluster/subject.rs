//! A shard of its own for a test, and the commands the tests say.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::ledger::{
    Change, Command, Key, Ledger, Limits, Line, Note, Owner, PoolId, PoolName, Quantity, Take, Text,
};
use domain::time::Timestamp;
use engine::ports::{Stock, StockAnswer};
use redis::aio::MultiplexedConnection;
use testkit::contract::Subject;
use testkit::contract::row::word;
use windfall_cluster::{RedisStock, Settings, Shard, journal};

pub const POOL: PoolId = PoolId(1);
/// Beyond what a double can say, as ids of pools are.
pub const LARGE_POOL: PoolId = PoolId(i64::MAX - 1);

pub struct OnRedis {
    pub stock: RedisStock,
    pub settings: Settings,
    pub connection: MultiplexedConnection,
}

impl OnRedis {
    /// A new shard in the server of this test process.
    pub async fn new(limits: Limits) -> Option<Self> {
        let redis = testkit::Redis::shared().await?;
        Some(Self::at(&redis.url(), &redis.shard(), limits).await)
    }

    pub async fn at(url: &str, shard: &str, limits: Limits) -> Self {
        let settings = Settings { url: url.to_owned(), shard: Shard::new(shard).unwrap(), term: 1, limits };
        let stock = RedisStock::create(settings.clone()).await.unwrap();
        let connection = connect(url).await;
        Self { stock, settings, connection }
    }

    /// What one command comes to, in a word.
    pub async fn ask(&self, command: Command) -> String {
        ask(&self.stock, command).await
    }

    /// What the journal alone says. Its open holds, and no others, are those that Redis will expire.
    pub async fn replayed(&mut self) -> Ledger {
        let mut ledger = Ledger::new(self.settings.limits);
        let mut open = HashSet::new();
        loop {
            let events = journal::read_after(&mut self.connection, &self.settings.shard, ledger.seq(), 100);
            let events = events.await.unwrap();
            if events.is_empty() {
                ledger.assert_sound();
                let due = &self.settings.shard.keys()[4];
                let waiting: usize =
                    redis::cmd("ZCARD").arg(due).query_async(&mut self.connection).await.unwrap();
                assert_eq!(waiting, open.len(), "as many holds wait for their end as are open");
                return ledger;
            }
            for event in &events {
                ledger.fold(event);
                match event.change {
                    Change::Reserved { key, .. } => open.insert(key),
                    Change::Confirmed { hold, .. }
                    | Change::Cancelled { hold, .. }
                    | Change::Expired { hold, .. } => open.remove(&hold),
                    _ => false,
                };
            }
        }
    }

    /// Everything the shard keeps, as it is.
    pub async fn contents(&mut self) -> Vec<redis::Value> {
        let mut contents = Vec::new();
        for key in self.settings.shard.keys() {
            contents.push(redis::cmd("DUMP").arg(key).query_async(&mut self.connection).await.unwrap());
        }
        contents
    }
}

#[async_trait]
impl Subject for OnRedis {
    fn stock(&self) -> &dyn Stock {
        &self.stock
    }

    async fn now(&mut self) -> Timestamp {
        let (seconds, micros): (i64, i64) =
            redis::cmd("TIME").query_async(&mut self.connection).await.unwrap();
        Timestamp(seconds * 1_000 + micros / 1_000)
    }

    /// Redis has a clock of its own: it is looked at until it says so.
    async fn pass(&mut self, ms: i64) {
        let until = self.now().await + ms;
        while self.now().await < until {
            testkit::wait::pause().await;
        }
    }

    async fn sweep(&mut self) {
        while !matches!(
            self.stock.ask(0, vec![Command::ExpireOne]).await.unwrap().as_slice(),
            [StockAnswer::Refused(_)]
        ) {}
    }

    async fn caught_up(&mut self) {}

    /// Another node begins the next term.
    async fn restart(&mut self) {
        self.settings.term += 1;
        self.stock = RedisStock::join(self.settings.clone()).await.unwrap();
    }
}

pub async fn connect(url: &str) -> MultiplexedConnection {
    redis::Client::open(url).unwrap().get_multiplexed_async_connection().await.unwrap()
}

pub async fn ask(stock: &dyn Stock, command: Command) -> String {
    match stock.ask(0, vec![command]).await {
        Ok(answers) => word(&answers[0]),
        Err(failure) => failure.code().map_or_else(|| format!("fault: {failure}"), str::to_owned),
    }
}

pub fn open(pool: PoolId, total: u64) -> Command {
    let key = Key::of("pool", 0, &format!("open {}", pool.0));
    let name = PoolName::new(&format!("货架/{}", pool.0)).unwrap();
    let note = Note::new("开售").unwrap().signed(i64::MIN);
    Command::PoolOpen { key, pool, name, round: 1, total, owner_max: 0, note }
}

pub fn reserve(id: &str, pool: PoolId, units: i64) -> Command {
    let text = Text::new(id).unwrap();
    Command::Reserve {
        key: hold(id),
        id: text.clone(),
        caller: i64::MIN,
        owner: Some(Owner::new(text)),
        lines: vec![Line { pool, quantity: Quantity::new(units).unwrap() }],
        ttl_ms: 3_600_000,
        gates: Vec::new(),
    }
}

pub fn confirm(id: &str) -> Command {
    Command::Confirm { hold: hold(id), take: Take::All }
}

pub fn hold(id: &str) -> Key {
    Key::of("hold", 0, id)
}
