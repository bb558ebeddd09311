//! One-time sign-in links: the company's app opens Windfall's pages with its player already signed in.

use domain::Rejection;
use domain::account::SitePath;
use domain::ids::UserId;
use domain::time::{MINUTE_MS, SECOND_MS};
use store::model::{LinkCreate, LinkRedeem};

use crate::caller::Caller;
use crate::failure::Result;
use crate::people::entry::{SignedInUser, new_session};
use crate::people::tokens::{SecretToken, TokenKind};
use crate::world::World;

/// Long enough for an app to open a page, too short to be worth stealing.
const LINK_LIFE_MS: i64 = 2 * MINUTE_MS;

#[derive(Clone, Debug)]
pub struct SignInLink {
    pub url: String,
    pub expires_in_s: i64,
}

/// `to` is where on the site the link leads; the first page without it.
pub async fn link_create(world: &World, user: UserId, to: Option<&str>) -> Result<SignInLink> {
    let to = to.map(|to| SitePath::parse("to", to)).transpose()?;
    let to = to.map_or_else(String::new, |to| format!("?to={}", to.encode()));
    let token = SecretToken::new(TokenKind::Link, world.outside.random.as_ref());
    let expires = world.now() + LINK_LIFE_MS;
    world.db.link_create(LinkCreate { token_hash: token.hash(), user, expires }).await?;
    // After the #: browsers keep that part to themselves, so the token reaches no access log.
    let url = format!("{}/enter{to}#{}", world.settings.public_url, token.as_str());
    Ok(SignInLink { url, expires_in_s: LINK_LIFE_MS / SECOND_MS })
}

pub async fn link_redeem(world: &World, caller: &Caller, token: &str) -> Result<SignedInUser> {
    let link = SecretToken::parse(TokenKind::Link, token).ok_or(Rejection::LinkSpent)?;
    let (cookies, session) = new_session(world, caller);
    let user =
        world.db.link_redeem(LinkRedeem { token_hash: link.hash(), session, now: world.now() }).await?;
    Ok(SignedInUser { user, token: cookies.token, device: cookies.device })
}
