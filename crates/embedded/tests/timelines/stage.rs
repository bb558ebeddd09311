//! A database with people, timelines over it, and a naive reading of what somebody's timeline is.

use std::collections::BTreeSet;

use domain::Rejection;
use domain::community::{DailyCaps, FeedKey, PostTerms};
use domain::ids::{PostId, UserId};
use domain::time::{DAY_MS, Timestamp};
use engine::community::timelines::TimelineParts;
use engine::community::timelines::rebuild::Rebuilds;
use engine::ports::Timelines;
use store::failure::Failure;
use store::model::*;
use store::{Db, PostgresSettings, SqliteSettings, params};
use tempfile::TempDir;
use windfall_embedded::MemoryTimelines;

/// Long after everybody's account was made.
pub const NOW: Timestamp = Timestamp(1_763_000_000_000);
/// From so many followers on, posts are merged.
pub const MERGED_FROM: u32 = 4;

/// Keeps the database's folder.
#[derive(Debug)]
pub struct Stage {
    pub db: Db,
    pub home: MemoryTimelines,
    pub rebuilds: Rebuilds,
    _folder: Option<TempDir>,
}

pub async fn sqlite() -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
    Stage::on(db, Some(folder)).await
}

/// `None`, with the skip on record, where there is no PostgreSQL.
pub async fn postgres() -> Option<Stage> {
    let database = testkit::Postgres::shared().await?.database().await;
    let settings = PostgresSettings { pool_max: 8, ..PostgresSettings::at(database.url()).unhurried() };
    Some(Stage::on(Db::connect_postgres(&settings).await.unwrap(), None).await)
}

/// Makes the tests `name::sqlite` and `name::postgres` of each `async fn name(stage: Stage)` listed.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name($crate::stage::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(stage) = $crate::stage::postgres().await {
                    super::$name(stage).await;
                }
            }
        }
    )+};
}
pub(crate) use on_both;

impl Stage {
    async fn on(db: Db, folder: Option<TempDir>) -> Self {
        db.migrate(Timestamp(0)).await.unwrap();
        let home = MemoryTimelines::new(10_000);
        Self { db, home, rebuilds: Rebuilds::default(), _folder: folder }
    }

    pub fn parts(&self) -> TimelineParts<'_> {
        TimelineParts { db: &self.db, home: &self.home, rebuilds: &self.rebuilds }
    }

    /// People who may write and follow.
    pub async fn people(&self, ids: std::ops::Range<i64>) -> Vec<UserId> {
        let people: Vec<UserId> = ids.map(UserId).collect();
        self.db
            .write(people.clone(), |tx, people| {
                Box::pin(async move {
                    for user in people {
                        let sql =
                            "INSERT INTO users (id, created, name, name_folded, external_id, sign_up_day)
                                   VALUES ($1, 0, $2, $3, $3, 20200101)";
                        let name = format!("Player {user}");
                        tx.execute(sql, params![*user, &name, &name]).await?;
                    }
                    Ok(())
                })
            })
            .await
            .unwrap();
        people
    }

    fn day(now: Timestamp) -> CommunityDay {
        let caps = DailyCaps { posts: 1_000_000, comments: 9, likes: 9, follows: 1_000_000 };
        CommunityDay { day: now.0 / DAY_MS, caps, now }
    }

    pub async fn publish(&self, id: i64, author: UserId, merged_from: u32) {
        let terms = PostTerms::parse(&format!("Post {id}"), None, "text").unwrap();
        let text = PostText { terms, excerpt: "text".into(), has_links: false, ruling: Default::default() };
        let publish =
            PostPublish { id: PostId(id), author, text, merged_from, day: Self::day(NOW), once: None };
        self.db.post_publish(publish).await.unwrap();
    }

    /// Follows as the flow does it, backfill included. Refusals are answers.
    pub async fn follow(&self, user: UserId, other: UserId) {
        let step = FollowSet { user, other, following_max: 1_000, day: Self::day(NOW) };
        if let Some(done) = answer(self.db.follow(step).await)
            && let Some(version) = done.made
        {
            self.parts().backfill(user, other, version).await.unwrap();
        }
    }

    pub async fn unfollow(&self, user: UserId, other: UserId) {
        if let Some(version) = self.db.unfollow(user, other, NOW).await.unwrap().made {
            self.parts().purge(user, other, version).await.unwrap();
        }
    }

    pub async fn block(&self, user: UserId, other: UserId) {
        self.db.block(user, other, NOW).await.unwrap();
        self.parts().forget_both(user, other).await.unwrap();
    }

    pub async fn fan_out(&self, post: i64) -> u64 {
        self.parts().fan_out(PostId(post), NOW).await.unwrap()
    }

    /// One page.
    pub async fn page(
        &self,
        user: UserId,
        limit: u32,
        after: Option<FeedKey>,
    ) -> (Vec<i64>, Option<FeedKey>) {
        let page = self.parts().page(user, FeedRequest { limit, after }, NOW).await.unwrap();
        (page.items.iter().map(|row| row.id.0).collect(), page.next)
    }

    /// All pages to the end.
    pub async fn pages(&self, user: UserId, limit: u32) -> Vec<i64> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let (ids, next) = self.page(user, limit, after).await;
            all.extend(ids);
            match next {
                Some(next) => after = Some(next),
                None => return all,
            }
        }
    }

    /// What somebody's timeline is, read from the rows alone.
    pub async fn naive(&self, user: UserId) -> Vec<i64> {
        self.db
            .read(user, |tx, user| {
                Box::pin(async move {
                    let sql = "SELECT p.id FROM posts p
                         WHERE p.state = 'visible' AND p.author_gone = 0
                           AND (p.author_id = $1
                                OR p.author_id IN (SELECT followed_id FROM follows WHERE user_id = $1))
                           AND p.author_id NOT IN (SELECT blocked_id FROM blocks WHERE user_id = $1)
                           AND p.author_id NOT IN (SELECT user_id FROM blocks WHERE blocked_id = $1)
                         ORDER BY p.published_ms DESC, p.id DESC";
                    tx.all(sql, params![*user], store::row::Row::int).await
                })
            })
            .await
            .unwrap()
    }

    /// Sets a post's state as a moderator would.
    pub async fn set_state(&self, post: i64, state: &'static str) {
        self.db
            .write((post, state), |tx, (post, state)| {
                Box::pin(async move {
                    let sql = "UPDATE posts SET state = $2 WHERE id = $1 AND state <> 'deleted'";
                    tx.execute(sql, params![*post, *state]).await.map(drop)
                })
            })
            .await
            .unwrap();
    }

    /// Posts that are not delivered to everybody yet.
    pub async fn on_the_way(&self) -> BTreeSet<i64> {
        self.db
            .read((), |tx, ()| {
                Box::pin(async move {
                    tx.all("SELECT post_id FROM post_fan_outs", &[], store::row::Row::int).await
                })
            })
            .await
            .unwrap()
            .into_iter()
            .collect()
    }

    /// What is kept of somebody's timeline, whatever is in the database.
    pub async fn kept(&self, user: UserId) -> Option<Vec<i64>> {
        let version = self
            .db
            .timeline_facts(TimelineAsk { user, before: FeedKey::NEWEST, limit: 1 })
            .await
            .unwrap()
            .version;
        let read =
            engine::ports::TimelineRead { user, version, before: FeedKey::NEWEST, limit: 1_000, now: NOW };
        Some(self.home.read(read).await.unwrap()?.keys.into_iter().map(|key| key.id).collect())
    }
}

fn answer<T>(done: Result<T, Failure>) -> Option<T> {
    match done {
        Ok(value) => Some(value),
        Err(Failure::Rejected(
            Rejection::BlockedByYou | Rejection::NotFound { .. } | Rejection::Yourself,
        )) => None,
        Err(failure) => panic!("{failure}"),
    }
}
