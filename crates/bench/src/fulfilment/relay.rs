//! Messages carried out per second by handlers in this process, from a backlog that is there before the relay begins.
//!
//! Half of them give points and half give chances, through the relay as the server runs it: both lanes at once, on the
//! real store and the real ledger. Every user has several messages, which must be carried out in their order. Writing the
//! backlog does not count. Resident memory is looked at while the backlog shrinks: it may not depend on its length.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use domain::fulfilment::FulfilmentSource;
use domain::ids::ActivityId;
use domain::ledger::play::{ChanceLimits, Terms};
use domain::ledger::{Act, Command, Key, Note};
use domain::lottery::strategy::PrizeId;
use domain::time::DAY_MS;
use engine::ports::StockAnswer;
use engine::relay;
use store::model::{FULFIL, FulfilMessage};
use store::params;
use tokio::sync::oneshot;

use crate::ledger::memory::resident;
use crate::ledger::report::{Goal, LedgerReport};
use crate::node::{BenchNode, NodeSettings, NodeStarter};

const ACTIVITY: ActivityId = ActivityId(7_318_349_394_477_056);
/// Messages written in one transaction.
const WRITTEN_AT_ONCE: i64 = 10_000;
/// Messages of one user, about.
const OF_ONE_USER: i64 = 10;
/// How often is looked whether the backlog is gone.
const LOOK: Duration = Duration::from_millis(20);
const MIB: f64 = 1_048_576.0;

pub async fn measure(
    nodes: &dyn NodeStarter,
    settings: NodeSettings,
    messages: u32,
    report: &mut LedgerReport,
) -> anyhow::Result<()> {
    let node = nodes.open(settings).await?;
    open(&node).await?;
    write(&node, i64::from(messages)).await?;

    let before = resident();
    let (took, peak) = drain(&node).await?;
    check(&node, i64::from(messages)).await?;
    let rate = f64::from(messages) / took.as_secs_f64();
    let what = "messages a second from the outbox to points and chances, in order per user";
    report.with_goal("relay_per_s", what, Some(rate), Goal::AtLeast(20_000.0));
    report.figure("relay_messages", "messages in the backlog", Some(f64::from(messages)));
    let mib = |bytes: u64| bytes as f64 / MIB;
    let grown = before.map(|before| mib(peak.saturating_sub(before)));
    report.figure("relay_memory_before_mib", "resident memory before, MiB", before.map(mib));
    report.figure("relay_memory_grown_mib", "the most it grew while the backlog drained, MiB", grown);
    node.close().await
}

/// An activity that anybody may be granted chances of.
async fn open(node: &BenchNode) -> anyhow::Result<()> {
    let now = node.world.now();
    let terms = Terms {
        version: 1,
        from: now,
        until: now + 1_000 * DAY_MS,
        entries: None,
        limits: ChanceLimits { total: 1, month: 0, day: 0 },
        begin: None,
    };
    let (key, note) = (Key::of("bench", 0, "open"), Note::default());
    let open = Command::direct(key, note, Act::ActivityOpen { activity: ACTIVITY, round: 1, terms });
    let answers = node.world.ledger.stock.ask(ACTIVITY.0, vec![open]).await?;
    ensure!(matches!(answers.as_slice(), [StockAnswer::Accepted(_)]), "the ledger answered {answers:?}");
    Ok(())
}

/// Prizes as the projection writes them: odd ones are points, even ones chances. An odd factor visits every user, in no order.
const PRIZES: &str = "WITH RECURSIVE numbers(n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
    INSERT INTO fulfilments (id, source, user_id, activity_id, prize_id, kind, amount, state, made_ms, changed_ms)
    SELECT n, 'win', n * 2654435769 % $3 + 1, $4, 1, CASE WHEN n % 2 = 1 THEN 'points' ELSE 'chances' END, 1, 'ready', $5, $5
    FROM numbers";
/// And their messages.
const MESSAGES: &str = "WITH RECURSIVE numbers(n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
    INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
    SELECT CASE WHEN n % 2 = 1 THEN 'points' ELSE 'chances' END, $4, n, n * 2654435769 % $3 + 1, 0, $5, n, $6, $4 FROM numbers";

/// Users come in no order, so their index would be written all over for every row: it is made when all rows are there, and
/// then a backlog of millions takes seconds.
const WITHOUT_INDEX: &str = "DROP INDEX fulfilments_user";
const INDEX: &str = "CREATE INDEX fulfilments_user ON fulfilments (user_id, id)";

async fn write(node: &BenchNode, messages: i64) -> anyhow::Result<()> {
    let now = node.world.now();
    let prize = PrizeId::new(1).context("the first prize")?;
    let source = FulfilmentSource::Win { activity: ACTIVITY, prize };
    let body = FulfilMessage { source, amount: 1, pool: None, redriven: 0 };
    let body = serde_json::to_string(&body)?;
    let users = (messages / OF_ONE_USER).max(1);
    node.db.write(WITHOUT_INDEX, |tx, sql| Box::pin(async move { tx.execute(sql, &[]).await })).await?;
    let mut written = 0;
    while written < messages {
        let (first, last) = (written + 1, messages.min(written + WRITTEN_AT_ONCE));
        node.db
            .write((first, last, users, body.clone(), now), |tx, (first, last, users, body, now)| {
                Box::pin(async move {
                    tx.execute(PRIZES, params![*first, *last, *users, ACTIVITY, *now]).await?;
                    tx.execute(MESSAGES, params![*first, *last, *users, *now, FULFIL, body]).await
                })
            })
            .await?;
        written = last;
    }
    node.db.write(INDEX, |tx, sql| Box::pin(async move { tx.execute(sql, &[]).await })).await?;
    Ok(())
}

/// How long the relay took, and the most memory that was seen meanwhile.
async fn drain(node: &BenchNode) -> anyhow::Result<(Duration, u64)> {
    let (stop, stopped) = oneshot::channel::<()>();
    let started = Instant::now();
    let relay = relay::run_until(node.world.clone(), relay::handlers(), node.holder.clone(), async {
        let _ = stopped.await;
    });
    let relay = tokio::spawn(relay);
    let mut peak = 0;
    let took = loop {
        let sql = "SELECT COUNT(*) FROM (SELECT id FROM outbox LIMIT 1) AS first";
        let left = node.db.read(sql, |tx, sql| Box::pin(tx.count(sql, &[]))).await?;
        peak = peak.max(resident().unwrap_or(0));
        if left == 0 {
            break started.elapsed();
        }
        ensure!(!relay.is_finished(), "the relay has stopped");
        tokio::time::sleep(LOOK).await;
    };
    let _ = stop.send(());
    relay.await.context("the relay")?;
    Ok((took, peak))
}

/// Everything is given, once, and to each user in the order of the messages.
async fn check(node: &BenchNode, messages: i64) -> anyhow::Result<()> {
    let count = |sql: &'static str| node.db.read(sql, |tx, sql| Box::pin(tx.count(sql, &[])));
    let given = count("SELECT COUNT(*) FROM fulfilments WHERE state = 'given'").await?;
    ensure!(given == messages, "of {messages} messages {given} were carried out");
    let points = count("SELECT COUNT(*) FROM points_rows").await?;
    ensure!(points == (messages + 1) / 2, "{points} postings came of {messages} messages");
    let disorder = "SELECT COUNT(*) FROM points_rows one
                    JOIN points_rows next ON next.user_id = one.user_id AND next.n = one.n + 1
                    WHERE CAST(substr(next.idem_key, 5) AS BIGINT) < CAST(substr(one.idem_key, 5) AS BIGINT)";
    ensure!(count(disorder).await? == 0, "somebody's points came in another order");
    Ok(())
}
