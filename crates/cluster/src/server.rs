//! What is asked of a Redis before it is trusted with stock. Each "no" has a name.

use redis::aio::ConnectionLike;
use redis::{InfoDict, RedisError};

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("Redis could not be asked how it is set up")]
    Redis(#[from] RedisError),
    /// An evicted pool would read as one that never was.
    #[error("redis_evicts: maxmemory-policy is {policy}; set it to noeviction")]
    Evicts { policy: String },
    #[error("redis_forgets: the append-only file is off; set appendonly to yes")]
    Forgets,
    #[error("redis_silent: Redis does not tell {what}")]
    Silent { what: &'static str },
}

/// Passes when nothing is evicted and everything is written to the append-only file. Asked by INFO, which managed
/// servers answer too.
pub(crate) async fn check(connection: &mut impl ConnectionLike) -> Result<(), ServerError> {
    let info: InfoDict = redis::cmd("INFO").query_async(connection).await?;
    let setting = |name: &str| info.get::<String>(name);
    judge(setting("maxmemory_policy").as_deref(), setting("aof_enabled").as_deref())
}

fn judge(policy: Option<&str>, append_only: Option<&str>) -> Result<(), ServerError> {
    let policy = policy.ok_or(ServerError::Silent { what: "maxmemory_policy" })?;
    if policy != "noeviction" {
        return Err(ServerError::Evicts { policy: policy.to_owned() });
    }
    match append_only {
        Some("1") => Ok(()),
        Some(_) => Err(ServerError::Forgets),
        None => Err(ServerError::Silent { what: "aof_enabled" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_no_has_a_name() {
        for (policy, append_only, expected) in [
            (Some("noeviction"), Some("1"), None),
            (Some("allkeys-lru"), Some("1"), Some("redis_evicts")),
            (Some("volatile-ttl"), Some("1"), Some("redis_evicts")),
            (Some("noeviction"), Some("0"), Some("redis_forgets")),
            (None, Some("1"), Some("redis_silent")),
            (Some("noeviction"), None, Some("redis_silent")),
        ] {
            let got = judge(policy, append_only);
            let name = got.err().map(|error| error.to_string().split(':').next().unwrap_or("").to_owned());
            assert_eq!(name.as_deref(), expected, "{policy:?} {append_only:?}");
        }
    }
}
