//! How many postings a second go into accounts of points, on SQLite, in batches as the relay makes them.
//!
//! `cargo run --release -p windfall-store --example posted_points -- 1000000 100000` posts a million credits to a hundred
//! thousand users, each under a key of its own, and then spends one point of each hundredth.

use std::time::{Duration, Instant};

use domain::ids::UserId;
use domain::points::{Amount, Move};
use domain::time::{DAY_MS, Timestamp};
use windfall_store::model::Posting;
use windfall_store::{Db, SqliteSettings};

const BATCH: usize = 1_000;
const T0: Timestamp = Timestamp(1_700_000_000_000);

type Trouble = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Trouble> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let postings = numbers.next().transpose()?.unwrap_or(200_000);
    let users = numbers.next().transpose()?.unwrap_or(50_000);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("windfall.db");
    let db = Db::open_sqlite(&SqliteSettings::at(path.clone()))?;
    db.migrate(T0).await?;
    let amount = Amount::new(1).ok_or("an amount")?;
    let credit = Move::Credit { amount, expires: T0 + 365 * DAY_MS };
    for (what, asked, count) in
        [("credits", credit, postings), ("spendings", Move::Spend { amount }, postings / 100)]
    {
        let (mut random, mut took, mut refused) = (1_u64, Duration::ZERO, 0);
        let mut batch = Vec::new();
        for n in 0..count {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let user = UserId(i64::try_from((random >> 16) % users)? + 1);
            let key = format!("{what}:{n}");
            batch.push(Posting { user, asked, key, reason: String::new(), at: T0 });
            if batch.len() == BATCH || n + 1 == count {
                let started = Instant::now();
                let answers = db.points_post(std::mem::take(&mut batch)).await?;
                took += started.elapsed();
                refused += answers.iter().filter(|answer| answer.is_err()).count();
            }
        }
        let mib = std::fs::metadata(&path)?.len() >> 20;
        println!("{what}: {:.0}/s, {refused} refused, {mib} MiB", count as f64 / took.as_secs_f64());
    }
    Ok(())
}
