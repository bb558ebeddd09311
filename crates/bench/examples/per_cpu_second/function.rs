//! The reservation of the ledger's contract as a Redis function: `function/*.lua`, and as much of a client as the
//! measurement takes.

use domain::ledger::{Key, Limits, Owner, Text};
use redis::RedisResult;
use redis::aio::MultiplexedConnection;

/// The library as one text. The order counts: each part sees those before it.
const SOURCE: &str = concat!(
    include_str!("function/head.lua"),
    include_str!("function/kept.lua"),
    include_str!("function/pools.lua"),
    include_str!("function/reserve.lua"),
    include_str!("function/write.lua"),
    include_str!("function/doors.lua"),
);
/// In the order that the library expects them; one hash tag, so that a Redis Cluster has them in one slot.
pub const KEYS: [&str; 6] = ["{s}:shard", "{s}:pools", "{s}:records", "{s}:counts", "{s}:due", "{s}:journal"];
/// The most commands in one call; the library refuses more.
pub const COMMANDS_MAX: usize = 1_024;
const TERM: u32 = 1;
const POOL: i64 = 1;
const POOL_OPEN: u8 = 1;
const RESERVE: u8 = 5;
const TTL_MS: i64 = 1_800_000;

/// What a reservation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionAnswer {
    Held,
    /// Held before; the same again.
    HeldBefore,
    Refused {
        code: u8,
    },
}

/// One shard with one pool.
pub struct RedisFunction {
    connection: MultiplexedConnection,
}

impl RedisFunction {
    /// Loads the library and makes the shard, with a pool of so many units. An owner may have `owner_max` of them.
    pub async fn create(
        mut connection: MultiplexedConnection,
        total: u64,
        owner_max: u32,
    ) -> RedisResult<Self> {
        redis::cmd("FUNCTION").arg("LOAD").arg(SOURCE).query_async::<()>(&mut connection).await?;
        let limits = Limits::default();
        let mut bounds = Bytes::default();
        bounds.u32(TERM).u32(limits.lines_max).i64(limits.ttl_min_ms).i64(limits.ttl_max_ms);
        bounds.i64(limits.life_max_ms).u32(limits.tombstones_max);
        call("windfall_create_1").arg(bounds.0).query_async::<()>(&mut connection).await?;
        let mut open = Bytes::default();
        open.byte(POOL_OPEN).key(Key::of("pool", 0, "open")).i64(POOL).u32(1).u64(total).u32(owner_max);
        open.text("shelf");
        let function = Self { connection };
        function.ask(vec![open.0]).await?;
        Ok(function)
    }

    /// One unit for each id, in one call; `owned` by an owner of the same name.
    pub async fn reserve(&self, ids: &[Text], owned: bool) -> RedisResult<Vec<FunctionAnswer>> {
        let commands = ids.iter().map(|id| reserve(id, owned.then_some(id))).collect();
        self.ask(commands).await
    }

    /// The same for one owner.
    #[cfg(test)]
    pub async fn reserve_for(&self, owner: &Text, ids: &[Text]) -> RedisResult<Vec<FunctionAnswer>> {
        self.ask(ids.iter().map(|id| reserve(id, Some(owner))).collect()).await
    }

    async fn ask(&self, commands: Vec<Vec<u8>>) -> RedisResult<Vec<FunctionAnswer>> {
        let mut call = call("windfall_ask_1");
        call.arg(TERM.to_be_bytes().as_slice()).arg(commands);
        let answers: Vec<Vec<u8>> = call.query_async(&mut self.connection.clone()).await?;
        Ok(answers.iter().map(|answer| read(answer)).collect())
    }
}

fn call(function: &str) -> redis::Cmd {
    let mut command = redis::cmd("FCALL");
    command.arg(function).arg(KEYS.len()).arg(&KEYS);
    command
}

fn read(answer: &[u8]) -> FunctionAnswer {
    match answer {
        [b'H' | b'A', ..] => FunctionAnswer::Held,
        [b'R', ..] => FunctionAnswer::HeldBefore,
        [b'N', code, ..] => FunctionAnswer::Refused { code: *code },
        other => panic!("not an answer of the function: {other:?}"),
    }
}

fn reserve(id: &Text, owner: Option<&Text>) -> Vec<u8> {
    let number = owner.map_or(0, |owner| Owner::new(owner.clone()).id.get());
    let mut out = Bytes::default();
    out.byte(RESERVE).key(Key::of("hold", 0, id.as_str())).i64(TTL_MS).i64(0).u64(number);
    out.u32(1).i64(POOL).u32(1).text(id.as_str()).text(owner.map_or("", Text::as_str));
    out.0
}

/// Fields of fixed width, the highest byte first.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn byte(&mut self, byte: u8) -> &mut Self {
        self.bytes(&[byte])
    }

    fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    fn i64(&mut self, number: i64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    /// The key, and a fingerprint of the command: here a part of the key, since one id always asks for the same.
    fn key(&mut self, key: Key) -> &mut Self {
        let bytes = key.0.to_be_bytes();
        self.bytes(&bytes).bytes(&bytes[..8])
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.byte(u8::try_from(text.len()).unwrap_or(u8::MAX)).bytes(text.as_bytes())
    }
}
