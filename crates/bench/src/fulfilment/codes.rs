//! Codes imported per second: read, fingerprinted, encrypted and committed, through the flow that the server uses.
//!
//! They come in pieces as large as the server takes, into an installation that has none. Making the text does not count.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::ensure;
use domain::redeem::SheetKind;
use engine::fulfilment::redeem_codes::{code_pool_make, codes_import};
use server::SHEET_BYTES_MAX;
use store::model::Actor;

use crate::ledger::report::{Goal, LedgerReport};
use crate::node::{NodeSettings, NodeStarter};

/// `WF-`, sixteen digits and the line's end.
const LINE_BYTES: usize = 20;

pub async fn measure(
    nodes: &dyn NodeStarter,
    settings: NodeSettings,
    codes: u32,
    report: &mut LedgerReport,
) -> anyhow::Result<()> {
    let node = nodes.open(settings).await?;
    let world = &node.world;
    let signed = || world.audit_stamp(Actor::Console, "", "bench");
    let pool = code_pool_make(world, signed(), None, "bench", 0).await?.id;
    let (mut spent, mut made) = (Duration::ZERO, 0);
    while made < codes {
        let until = codes.min(made + u32::try_from(SHEET_BYTES_MAX / LINE_BYTES)?);
        let mut text = String::with_capacity(SHEET_BYTES_MAX);
        for n in made..until {
            // An odd factor makes codes that differ, and look as if they were made by lot.
            writeln!(text, "WF-{:016x}", u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15))?;
        }
        let started = Instant::now();
        let import = codes_import(world, signed(), pool, SheetKind::List, text.into_bytes()).await?;
        spent += started.elapsed();
        ensure!(
            import.added == u64::from(until - made),
            "of {} codes {} are new",
            until - made,
            import.added
        );
        made = until;
    }
    let rate = f64::from(codes) / spent.as_secs_f64();
    let what = "redeem codes imported per second, durable";
    report.with_goal("code_import_per_s", what, Some(rate), Goal::AtLeast(200_000.0));
    report.figure("code_import_codes", "codes imported", Some(f64::from(codes)));
    node.close().await
}
