//! People, sessions and activities for a bench over HTTP.
//!
//! Everything is made through the flows and steps the server itself uses; only the passwords are none, because checking
//! one takes longer than a thousand draws.

use std::sync::Arc;

use anyhow::Context as _;
use domain::access::{Role, Roles};
use domain::activity::Content;
use domain::ids::{ActivityId, SessionId, UserId};
use domain::time::DAY_MS;
use engine::World;
use engine::activities::{ReviewTarget, activity_approve, activity_create, activity_submit};
use engine::people::tokens::{SecretToken, TokenKind};
use server::forms::{ActivityForm, Moment, form_field};
use store::model::{Actor, NewSession, NewUser, SignInByPassword, UserCreate};
use tokio::task::JoinSet;

/// Steps under way at once while the players are made.
const AT_ONCE: usize = 512;
/// What stands where a password's hash would be: nobody signs in with it over HTTP.
const NO_PASSWORD: &str = "none: made by a bench";

/// Somebody, and the token of their session.
#[derive(Clone, Debug)]
pub struct BenchPlayer {
    pub user: UserId,
    pub session: String,
}

/// An activity as its form says, published and running for a day from now on.
pub async fn publish(world: &World, form: &str) -> anyhow::Result<ActivityId> {
    let operator = person(world, Roles::of(&[Role::Operator])).await?;
    let reviewer = person(world, Roles::of(&[Role::Reviewer])).await?;
    let mut form: ActivityForm = toml::from_str(form)?;
    let now = world.now().0;
    (form.from, form.until) = (Moment(now), Moment(now + DAY_MS));
    let written = form.read(ActivityId(0), 1).map_err(|wrong| anyhow::anyhow!("{wrong:?}"))?;
    let content = Content { configuration: written.configuration, plan: written.plan, cards: written.cards };
    let by = |who| world.audit_stamp(Actor::Person(who), "a bench", "bench");
    let id = activity_create(world, by(operator), None, content).await?;
    activity_submit(world, by(operator), None, id, form_field).await?;
    activity_approve(world, by(reviewer), None, ReviewTarget { id, seen: None }).await?;
    Ok(id)
}

/// So many people, each with a session.
pub async fn sign_in_all(world: &Arc<World>, players: u32) -> anyhow::Result<Vec<BenchPlayer>> {
    let (mut tasks, mut signed_in) = (JoinSet::new(), Vec::new());
    for _ in 0..players {
        let world = Arc::clone(world);
        tasks.spawn(async move { sign_in(&world).await });
        if tasks.len() >= AT_ONCE
            && let Some(player) = tasks.join_next().await
        {
            signed_in.push(player??);
        }
    }
    while let Some(player) = tasks.join_next().await {
        signed_in.push(player??);
    }
    Ok(signed_in)
}

/// Everybody has the page open before it begins, and so a session that is known.
pub async fn arrive<'a>(world: &World, sessions: impl Iterator<Item = &'a str>) -> anyhow::Result<()> {
    for session in sessions {
        let token = SecretToken::parse(TokenKind::Session, session).context("a token of the bench")?;
        let (accounts, policy) = (&world.db, world.settings.session);
        world.people.sessions.resolve(accounts, policy, token.hash(), world.now()).await?;
    }
    Ok(())
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
    let signed = world.audit_stamp(Actor::System, "a bench", "bench");
    Ok(world.db.user_create(UserCreate { user, phone: None, roles, signed }).await?.user)
}

async fn sign_in(world: &World) -> anyhow::Result<BenchPlayer> {
    let user = person(world, Roles::PLAYER).await?;
    let token = SecretToken::new(TokenKind::Session, world.outside.random.as_ref());
    let session = NewSession {
        id: SessionId(world.next_id()),
        token_hash: token.hash(),
        device_hash: token.hash(),
        agent: "bench".to_owned(),
        address: "127.0.0.1".to_owned(),
        consent: store::model::Consent::default(),
    };
    let (password_hash, now) = (NO_PASSWORD.to_owned(), world.now());
    let step =
        SignInByPassword { user, password_hash, rehashed: None, second: None, session, now, once: None };
    world.db.sign_in_by_password(step).await?;
    Ok(BenchPlayer { user, session: token.as_str().to_owned() })
}
