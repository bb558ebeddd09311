//! The function library. Its name and the names of its functions carry a version, so that nodes of two versions can run
//! side by side while one replaces the other.

use redis::aio::ConnectionLike;
use redis::{Cmd, RedisResult};

use crate::shard::Shard;

/// `functions/ledger/*.lua`, as one text. The order counts: each part sees those before it.
pub const SOURCE: &str = concat!(
    include_str!("../functions/ledger/head.lua"),
    include_str!("../functions/ledger/kept.lua"),
    include_str!("../functions/ledger/pools.lua"),
    include_str!("../functions/ledger/reserve.lua"),
    include_str!("../functions/ledger/endings.lua"),
    include_str!("../functions/ledger/write.lua"),
    include_str!("../functions/ledger/doors.lua"),
);

/// The most commands in one call; the library refuses more.
pub const COMMANDS_MAX: usize = 1_024;

pub(crate) const CREATE: &str = "windfall_create_1";
pub(crate) const BEGIN: &str = "windfall_begin_1";
pub(crate) const ASK: &str = "windfall_ask_1";

/// Loads the library, or puts the same text in its place: every node does so when it starts.
pub(crate) async fn load(connection: &mut impl ConnectionLike) -> RedisResult<()> {
    redis::cmd("FUNCTION").arg("LOAD").arg("REPLACE").arg(SOURCE).query_async(connection).await
}

/// A call on a shard, with every key of it declared.
pub(crate) fn call(function: &str, shard: &Shard) -> Cmd {
    let mut command = redis::cmd("FCALL");
    let keys = shard.keys();
    command.arg(function).arg(keys.len()).arg(&keys);
    command
}
