//! How long a search over posts takes, in Chinese and in English, from the query to the rows with what matched in them.
//!
//! The index is built by the relay from messages, as after a publishing; writing posts and messages does not count. Every
//! search is another one, by one of many readers, through the flow that the API calls: with its allowance, and with every entry
//! checked against its row.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use domain::ids::UserId;
use domain::search::{SearchKind, SearchQuery};
use engine::relay;
use engine::search::{SearchRequest, Searcher, search};
use hdrhistogram::Histogram;
use store::model::SEARCH;
use store::params;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::corpus::Corpus;
use crate::ledger::report::{Goal, LedgerReport};
use crate::node::{BenchNode, NodeSettings, NodeStarter};

/// Posts written in one transaction.
const WRITTEN_AT_ONCE: i64 = 2_000;
const AUTHORS: i64 = 1_000;
/// Searches by one reader, below what a minute allows.
const BY_ONE_READER: u64 = 20;
/// Entries of a page.
const PAGE: u32 = 20;
const WARM_UP: u64 = 200;
/// How often is looked whether the index is there.
const LOOK: Duration = Duration::from_millis(50);
/// A histogram of microseconds, up to a minute.
const LONGEST_US: u64 = 60_000_000;

pub async fn measure(
    nodes: &dyn NodeStarter,
    settings: NodeSettings,
    (posts, searches, at_once): (u32, u32, u32),
    report: &mut LedgerReport,
) -> anyhow::Result<()> {
    let node = nodes.open(settings).await?;
    write(&node, i64::from(posts)).await?;
    let took = index(&node).await?;
    let indexed = "SELECT COUNT(*) FROM search_documents WHERE kind = 'post'";
    let indexed = node.db.read(indexed, |tx, sql| Box::pin(tx.count(sql, &[]))).await?;
    ensure!(indexed == i64::from(posts), "of {posts} posts {indexed} are in the index");

    find(&node, (0, WARM_UP), at_once).await?;
    let Found { histogram, hits } = find(&node, (WARM_UP, u64::from(searches)), at_once).await?;
    let ms = |quantile| Some(histogram.value_at_quantile(quantile) as f64 / 1_000.0);
    let what = "a search for posts in Chinese or English, p99, ms";
    report.with_goal("search_p99_ms", what, ms(0.99), Goal::AtMost(20.0));
    report.figure("search_p50_ms", "the same, p50", ms(0.5));
    report.figure("search_max_ms", "the same, the longest", Some(histogram.max() as f64 / 1_000.0));
    report.figure("search_hits", "posts on a page, on average", Some(hits as f64 / f64::from(searches)));
    report.figure("search_posts", "posts in the index", Some(f64::from(posts)));
    let rate = f64::from(posts) / took.as_secs_f64();
    report.figure("search_indexed_per_s", "posts a second into the index", Some(rate));
    node.close().await
}

/// Posts as they are published, and the messages that bring them into the index.
async fn write(node: &BenchNode, posts: i64) -> anyhow::Result<()> {
    let now = node.world.now();
    node.db
        .write(now, |tx, now| {
            Box::pin(async move {
                for id in 1..=AUTHORS {
                    let sql = "INSERT INTO users (id, created, name, name_folded, roles, sign_up_day, posts)
                               VALUES ($1, $2, $3, $3, 0, 20260101, 1)";
                    tx.execute(sql, params![id, *now, format!("author {id}")]).await?;
                }
                Ok(())
            })
        })
        .await?;
    let mut written = 0;
    while written < posts {
        let (first, last) = (written + 1, posts.min(written + WRITTEN_AT_ONCE));
        node.db
            .write((first, last, now), |tx, (first, last, now)| {
                Box::pin(async move {
                    for id in *first..=*last {
                        let mut corpus = Corpus::of(id.unsigned_abs());
                        let is_chinese = id % 2 == 0;
                        let (title, body) =
                            (corpus.words(is_chinese, 3, 8), corpus.words(is_chinese, 20, 60));
                        let sql = "INSERT INTO posts (id, author_id, state, title, body, excerpt, published_ms, score)
                                   VALUES ($1, $2, 'visible', $3, $4, '', $5, 0)";
                        tx.execute(sql, params![id, id % AUTHORS + 1, title, body, *now]).await?;
                        let sql =
                            "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
                             VALUES ($1, $2, $3, 0, 0, $1, $3, 'post', $2)";
                        tx.execute(sql, params![SEARCH, *now, id]).await?;
                    }
                    Ok(())
                })
            })
            .await?;
        written = last;
    }
    Ok(())
}

/// How long the relay took for all of them.
async fn index(node: &BenchNode) -> anyhow::Result<Duration> {
    let (stop, stopped) = oneshot::channel::<()>();
    let started = Instant::now();
    let relay = relay::run_until(node.world.clone(), relay::handlers(), node.holder.clone(), async {
        let _ = stopped.await;
    });
    let relay = tokio::spawn(relay);
    let took = loop {
        let sql = "SELECT COUNT(*) FROM (SELECT id FROM outbox LIMIT 1) AS first";
        if node.db.read(sql, |tx, sql| Box::pin(tx.count(sql, &[]))).await? == 0 {
            break started.elapsed();
        }
        ensure!(!relay.is_finished(), "the relay has stopped");
        tokio::time::sleep(LOOK).await;
    };
    let _ = stop.send(());
    relay.await.context("the relay")?;
    Ok(took)
}

struct Found {
    /// In microseconds.
    histogram: Histogram<u64>,
    hits: u64,
}

/// So many searches from a number on, some at the same time.
async fn find(node: &BenchNode, (first, count): (u64, u64), at_once: u32) -> anyhow::Result<Found> {
    let mut all = Found { histogram: Histogram::new_with_max(LONGEST_US, 3)?, hits: 0 };
    let mut tasks = JoinSet::new();
    for task in 0..u64::from(at_once) {
        let (world, step) = (node.world.clone(), u64::from(at_once));
        tasks.spawn(async move {
            let mut own = Vec::new();
            for n in (first + task..first + count).step_by(usize::try_from(step)?) {
                let text = Corpus::of(n | 1 << 40).query(n % 2 == 0);
                let reader = i64::try_from(n / BY_ONE_READER)?;
                let who = Searcher {
                    user: Some(UserId(1_000_000 + reader)),
                    address: std::net::Ipv4Addr::LOCALHOST.into(),
                };
                let began = Instant::now();
                let query = SearchQuery::parse(&text)?;
                let asked = SearchRequest { query, kind: SearchKind::Post, after: None, limit: PAGE };
                let page = search(&world, who, asked).await?;
                own.push((began.elapsed(), page.items.len() as u64));
            }
            Ok::<_, anyhow::Error>(own)
        });
    }
    while let Some(own) = tasks.join_next().await {
        for (took, hits) in own?? {
            all.histogram.record(u64::try_from(took.as_micros())?.clamp(1, LONGEST_US))?;
            all.hits += hits;
        }
    }
    ensure!(all.hits > 0, "nothing was found");
    Ok(all)
}
