//! Webhooks delivered per second to a receiver in this process, from the event to the log of its delivery.
//!
//! Each is of another user, as after a campaign's rush. Writing the events does not count; copying them to the
//! subscription, signing, posting over loopback and writing down what came of it does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::ensure;
use domain::webhook::HookFormat;
use engine::relay;
use engine::webhooks::subscriptions::{NewWebhook, webhook_create};
use store::model::{Actor, EVENTS};
use store::params;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::ledger::report::{Goal, LedgerReport};
use crate::node::{BenchNode, NodeSettings, NodeStarter};

/// Events written in one transaction.
const WRITTEN_AT_ONCE: i64 = 1_000;

pub async fn measure(
    nodes: &dyn NodeStarter,
    settings: NodeSettings,
    webhooks: u32,
    report: &mut LedgerReport,
) -> anyhow::Result<()> {
    let settings = NodeSettings { webhooks_allow_private: true, ..settings };
    let node = nodes.open(settings).await?;
    let taken = Arc::new(AtomicU64::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/hook", listener.local_addr()?);
    let receiver = tokio::spawn(receive(listener, Arc::clone(&taken)));
    let signed = node.world.audit_stamp(Actor::Console, "", "bench");
    let (name, format) = ("bench".to_owned(), HookFormat::Event.name().to_owned());
    let given = NewWebhook { name, url, format, kinds: vec!["win.made".to_owned()] };
    webhook_create(&node.world, signed, None, given).await?;
    tell(&node, i64::from(webhooks)).await?;

    let started = Instant::now();
    relay::drain(&node.world, &relay::handlers(), &node.holder).await?;
    let rate = f64::from(webhooks) / started.elapsed().as_secs_f64();
    let taken = taken.load(Ordering::Relaxed);
    ensure!(taken == u64::from(webhooks), "of {webhooks} webhooks {taken} arrived");

    let what = "webhooks delivered per second to a local receiver";
    report.with_goal("webhooks_per_s", what, Some(rate), Goal::AtLeast(3_000.0));
    report.figure("webhooks_delivered", "webhooks delivered", Some(f64::from(webhooks)));
    receiver.abort();
    node.close().await
}

/// Wins, as the projection tells them.
async fn tell(node: &BenchNode, webhooks: i64) -> anyhow::Result<()> {
    let now = node.world.now();
    let mut told = 0;
    while told < webhooks {
        let until = webhooks.min(told + WRITTEN_AT_ONCE);
        node.db
            .write((told, until, now), |tx, (told, until, now)| {
                Box::pin(async move {
                    for n in *told + 1..=*until {
                        let data = format!(r#"{{"win_id":"{n}","activity_id":"7318349394477056","prize_id":3}}"#);
                        tx.execute(
                            "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
                             VALUES ($1, $2, $3, $3, 0, 'win.made', $3, $4, $2)",
                            params![EVENTS, *now, n, data],
                        )
                        .await?;
                    }
                    Ok(())
                })
            })
            .await?;
        told = until;
    }
    Ok(())
}

async fn receive(listener: TcpListener, taken: Arc<AtomicU64>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(take(stream, Arc::clone(&taken)));
    }
}

/// Answers every request on a connection that it is taken.
async fn take(mut stream: TcpStream, taken: Arc<AtomicU64>) {
    let _ = stream.set_nodelay(true);
    let mut read = Vec::with_capacity(4_096);
    while let Ok(1..) = stream.read_buf(&mut read).await {
        while let Some(whole) = whole_request(&read) {
            read.drain(..whole);
            taken.fetch_add(1, Ordering::Relaxed);
            if stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.is_err() {
                return;
            }
        }
    }
}

/// How many bytes the first request has, once it is there as a whole.
fn whole_request(read: &[u8]) -> Option<usize> {
    const END: &[u8] = b"\r\n\r\n";
    let head = read.windows(END.len()).position(|at| at == END)? + END.len();
    let text = std::str::from_utf8(read.get(..head)?).ok()?;
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let whole = head + length.unwrap_or(0);
    (read.len() >= whole).then_some(whole)
}
