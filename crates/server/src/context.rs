//! What every request carries along: its id, its caller, its language.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use domain::Lang;
use domain::limit::{address_key, network_key};
use engine::caller::Caller;
use engine::people::tokens::SecretToken;

use crate::address::client_address;
use crate::cookies;
use crate::network::Network;

/// How the bytes arrived; set by the listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    Network {
        peer: IpAddr,
        tls: bool,
    },
    /// The Unix socket inside the data folder: whoever can open it administers the machine.
    Console,
}

/// Made once per request at the edge. It is handed on several times, so that a copy costs one count.
#[derive(Clone, Debug)]
pub struct Context(Arc<ContextParts>);

#[derive(Debug)]
pub struct ContextParts {
    pub request_id: String,
    pub connection: Connection,
    pub client: IpAddr,
    pub lang: Lang,
    /// What this browser was given at an earlier sign-in.
    device: Option<SecretToken>,
    agent: Option<HeaderValue>,
}

impl Deref for Context {
    type Target = ContextParts;

    fn deref(&self) -> &ContextParts {
        &self.0
    }
}

const AGENT_MAX: usize = 200;
const REQUEST_ID_MAX: usize = 64;

impl Context {
    pub fn new(
        connection: Connection,
        parts: &Parts,
        trusted: &[Network],
        fresh_id: impl FnOnce() -> String,
    ) -> Self {
        let peer = match connection {
            Connection::Network { peer, .. } => peer,
            Connection::Console => IpAddr::from([127, 0, 0, 1]),
        };
        let forwarded =
            parts.headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let client = client_address(peer, forwarded, trusted);
        // A trusted proxy's request id is kept so that both logs can be read together.
        let vouched = trusted.iter().any(|block| block.contains(peer)) || connection == Connection::Console;
        let given = text(&parts.headers, "x-request-id").filter(|id| vouched && plain_id(id));
        Self(Arc::new(ContextParts {
            request_id: given.map_or_else(fresh_id, str::to_owned),
            connection,
            client,
            lang: text(&parts.headers, header::ACCEPT_LANGUAGE.as_str()).map_or(Lang::En, preferred),
            device: cookies::device_token(&parts.headers),
            agent: parts.headers.get(header::USER_AGENT).cloned(),
        }))
    }

    /// What the program at the other end calls itself, as far as it is short.
    fn agent(&self) -> String {
        let agent = self.agent.as_ref().and_then(|value| value.to_str().ok()).unwrap_or("");
        agent.chars().take(AGENT_MAX).collect()
    }

    pub fn caller(&self) -> Caller {
        Caller {
            ip: address_key(self.client),
            network: network_key(self.client),
            device: self.device.clone(),
            agent: self.agent(),
            request_id: self.request_id.clone(),
        }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn plain_id(id: &str) -> bool {
    (1..=REQUEST_ID_MAX).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// The language an `Accept-Language` header likes best of the two there are.
pub fn preferred(header: &str) -> Lang {
    let mut best = (Lang::En, -1_i32);
    for part in header.split(',').take(16) {
        let mut pieces = part.split(';');
        let tag = pieces.next().unwrap_or("").trim().to_ascii_lowercase();
        let weight = pieces.find_map(|piece| piece.trim().strip_prefix("q=")).map_or(1_000, thousandths);
        let lang = match tag.split('-').next() {
            Some("zh") => Lang::Zh,
            Some("en") => Lang::En,
            _ => continue,
        };
        if weight > best.1 && weight > 0 {
            best = (lang, weight);
        }
    }
    best.0
}

/// `0.75` → 750; anything unreadable counts as whole.
fn thousandths(text: &str) -> i32 {
    let (whole, rest) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let fraction: String = rest.chars().chain("000".chars()).take(3).collect();
    match (whole.parse::<i32>(), fraction.parse::<i32>()) {
        (Ok(whole), Ok(fraction)) => whole.clamp(0, 1) * 1_000 + fraction,
        _ => 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_liked_language_wins() {
        for (header, expected) in [
            ("", Lang::En),
            ("zh-CN,zh;q=0.9,en;q=0.8", Lang::Zh),
            ("en-US,en;q=0.9,zh;q=0.8", Lang::En),
            ("fr, zh;q=0.5, en;q=0.4", Lang::Zh),
            ("zh;q=0, en;q=0.1", Lang::En),
            ("de", Lang::En),
            ("zh;q=abc", Lang::Zh),
        ] {
            assert_eq!(preferred(header), expected, "{header}");
        }
    }

    #[test]
    fn request_ids_from_outside_are_plain_or_not_taken() {
        for (id, plain) in
            [("abc-1_2", true), ("", false), ("a b", false), ("a\"b", false), (&"x".repeat(65), false)]
        {
            assert_eq!(plain_id(id), plain, "{id}");
        }
    }
}
