//! A folder with one running activity of eight prizes, many players, and a session for each.
//!
//! Everything is made through the flows and steps the server itself uses; only the passwords are none, because checking
//! one takes longer than a thousand draws.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use domain::access::{Role, Roles};
use domain::activity::Content;
use domain::ids::{ActivityId, SessionId, UserId};
use domain::time::DAY_MS;
use engine::World;
use engine::flows::activity::{Verdict, activity_approve, activity_create, activity_submit};
use engine::ports::{Actor, NewSession, NewUser, SignInByPassword, UserCreate};
use engine::tokens::{Token, TokenKind};
use server::forms::{ActivityForm, Moment, form_field};
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::caller::{DrawCaller, Seat};
use crate::config::Config;
use crate::node::Metrics;
use crate::serve::Running;

/// Steps under way at once while the players are made.
const AT_ONCE: usize = 512;
/// What stands where a password's hash would be: nobody signs in with it over HTTP.
const NO_PASSWORD: &str = "none: made by a bench";
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Half of the draws win something; nothing runs out.
pub const ACTIVITY: &str = r#"
name = "Bench wheel"
from = 0
until = 1
zone = "Asia/Shanghai"
chances = { total = 1_000_000, day = 1_000_000 }
prizes = [
  { name = "Phone", odds = 20, units = 1_000_000_000, kind = "parcel", picture = "📱" },
  { name = "Headphones", odds = 200, units = 1_000_000_000, kind = "parcel", picture = "🎧" },
  { name = "Voucher over 50", odds = 2_000, units = 1_000_000_000, kind = "coupon", picture = "🎟️" },
  { name = "Voucher over 10", odds = 20_000, units = 1_000_000_000, kind = "coupon", picture = "🎫" },
  { name = "Redeem code", odds = 30_000, units = 1_000_000_000, kind = "coupon", picture = "🔑" },
  { name = "100 points", odds = 100_000, units = 1_000_000_000, kind = "points", amount = 100, picture = "💯" },
  { name = "One more spin", odds = 50_000, units = 1_000_000_000, kind = "chances", amount = 1, picture = "🔁" },
  { name = "A few points", odds = 297_780, units = 1_000_000_000, kind = "points", amount = 5, picture = "✨" },
]
"#;

#[derive(Debug)]
pub struct Campaign {
    folder: TempDir,
    metrics: Metrics,
    activity: String,
    tokens: Arc<[String]>,
}

impl Campaign {
    /// Makes everything in a new folder below `parent`; nothing serves yet.
    pub async fn prepare(parent: &Path, players: u32, metrics: Metrics) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("windfall-bench-").tempdir_in(parent)?;
        let mut campaign = Self { folder, metrics, activity: String::new(), tokens: Arc::new([]) };
        let running = campaign.serve(None).await?;
        let world = &running.node.world;
        campaign.activity = activity(world).await.context("the activity of the bench")?.to_string();
        campaign.tokens = sign_in_all(world, players).await.context("the players of the bench")?;
        running.stop().await?;
        Ok(campaign)
    }

    /// A server on the folder, as `windfall serve` starts it, on a free port of loopback. `lag_max` is the setting
    /// `ledger.lag_max`, where the default is not meant.
    pub async fn serve(&self, lag_max: Option<u64>) -> anyhow::Result<Running> {
        let mut config = Config::defaults()?;
        config.data.dir = self.folder.path().join("data");
        config.http.listen = ([127, 0, 0, 1], 0).into();
        config.ledger.lag_max = lag_max.unwrap_or(config.ledger.lag_max);
        let running = Running::start(&config, self.metrics.clone()).await?;
        self.arrive(&running.node.world).await?;
        Ok(running)
    }

    /// Everybody has the page open before the wheel is released, and so a session that is known.
    async fn arrive(&self, world: &World) -> anyhow::Result<()> {
        for token in self.tokens.iter() {
            let token = Token::parse(TokenKind::Session, token).context("a token of the bench")?;
            let (accounts, policy) = (world.accounts.as_ref(), world.settings.session);
            world.sessions.resolve(accounts, policy, token.hash(), world.now()).await?;
        }
        Ok(())
    }

    pub fn caller(&self, address: SocketAddr, seat: Seat) -> DrawCaller {
        DrawCaller::new(address, &self.activity, &self.tokens, seat)
    }

    pub fn remove(self) -> anyhow::Result<()> {
        self.folder.close().context("removing the folder of the bench")
    }
}

/// Waits until everything durable is in the database.
pub async fn projected(running: &Running) {
    while running.node.stock.lag() > 0 {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

async fn activity(world: &Arc<World>) -> anyhow::Result<ActivityId> {
    let operator = person(world, Roles::of(&[Role::Operator])).await?;
    let reviewer = person(world, Roles::of(&[Role::Reviewer])).await?;
    let mut form: ActivityForm = toml::from_str(ACTIVITY)?;
    let now = world.now().0;
    (form.from, form.until) = (Moment(now), Moment(now + DAY_MS));
    let written = form.read(ActivityId(0), 1).map_err(|wrong| anyhow::anyhow!("{wrong:?}"))?;
    let content = Content { configuration: written.configuration, plan: written.plan, cards: written.cards };
    let by = |who| world.signed(Actor::Person(who), "a bench", "bench");
    let id = activity_create(world, by(operator), None, content).await?;
    activity_submit(world, by(operator), None, id, form_field).await?;
    activity_approve(world, by(reviewer), None, Verdict { id, seen: None }).await?;
    Ok(id)
}

async fn person(world: &World, roles: Roles) -> anyhow::Result<UserId> {
    let id = world.new_user_id();
    let user = NewUser {
        id,
        name: format!("bench {id}"),
        phone_sealed: Vec::new(),
        password_hash: Some(NO_PASSWORD.to_owned()),
        sign_up_day: world.site_day(world.now()),
    };
    let signed = world.signed(Actor::System, "a bench", "bench");
    Ok(world.people.user_create(UserCreate { user, phone: None, roles, signed }).await?.user)
}

async fn sign_in_all(world: &Arc<World>, players: u32) -> anyhow::Result<Arc<[String]>> {
    let (mut tasks, mut tokens) = (JoinSet::new(), Vec::new());
    for _ in 0..players {
        let world = Arc::clone(world);
        tasks.spawn(async move { sign_in(&world).await });
        if tasks.len() >= AT_ONCE
            && let Some(token) = tasks.join_next().await
        {
            tokens.push(token??);
        }
    }
    while let Some(token) = tasks.join_next().await {
        tokens.push(token??);
    }
    Ok(tokens.into())
}

/// Somebody new, and the token of their session.
async fn sign_in(world: &World) -> anyhow::Result<String> {
    let user = person(world, Roles::PLAYER).await?;
    let token = Token::new(TokenKind::Session, world.random.as_ref());
    let session = NewSession {
        id: SessionId(world.next_id()),
        token_hash: token.hash(),
        agent: "bench".to_owned(),
        address: "127.0.0.1".to_owned(),
    };
    let (password_hash, now) = (NO_PASSWORD.to_owned(), world.now());
    let step = SignInByPassword { user, password_hash, rehashed: None, session, now, once: None };
    world.accounts.sign_in_by_password(step).await?;
    Ok(token.as_str().to_owned())
}
