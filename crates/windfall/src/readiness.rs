//! Whether a node should be sent requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use embedded::{ClockJump, SystemClock};
use engine::ports::Stock;
use ledger::RunningLedger;
use server::Health;
use store::Db;

/// Ready while the database answers, the ledger accepts, and nobody asked for a stop.
#[derive(Debug)]
pub struct Readiness {
    pub db: Db,
    pub stock: Arc<RunningLedger>,
    pub clock: Arc<SystemClock>,
    pub draining: AtomicBool,
}

#[async_trait]
impl Health for Readiness {
    async fn parts(&self) -> Vec<(&'static str, Result<(), String>)> {
        let database = match self.db.trouble() {
            Some(why) => Err(why),
            None => self.db.ping().await.map_err(|failure| failure.to_string()),
        };
        let draining = self.draining.load(Ordering::Relaxed);
        vec![
            ("database", database),
            ("ledger", self.stock.trouble().map_or(Ok(()), Err)),
            ("clock", clock(&self.stock)),
            ("accepting", if draining { Err("stopping".to_owned()) } else { Ok(()) }),
        ]
    }

    fn notes(&self) -> Vec<(&'static str, String)> {
        let jump = self.clock.jumped().map(|jump| ("clock", describe_jump(jump)));
        let back = match self.stock.clock().put_back_ms {
            0 => None,
            ms => Some(("ledger", format!("followed the clock back by {} s", ms / 1_000))),
        };
        jump.into_iter().chain(back).collect()
    }
}

/// A jump in words.
fn describe_jump(jump: ClockJump) -> String {
    let way = if jump.by_ms > 0 { "ahead" } else { "back" };
    format!("jumped {way} by {} s at {}", jump.by_ms.abs() / 1_000, jump.at.rfc3339())
}

/// While it is behind the ledger, nothing new is begun.
fn clock(stock: &RunningLedger) -> Result<(), String> {
    match stock.clock().behind_ms {
        0 => Ok(()),
        ms => Err(format!("clock_behind: the clock is {} s behind the ledger", ms / 1_000)),
    }
}
