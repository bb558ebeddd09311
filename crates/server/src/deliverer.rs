//! Requests to receivers that others have named.
//!
//! What always holds:
//! - A name is looked up once per connection, every address it leads to is judged, and the connection goes to what was
//!   judged: a name that changes its mind in between gains nothing. One private address among several refuses them all.
//! - Redirects are not followed, proxies of the environment are not asked.
//! - A request ends within the timeout, answer included, and no more of an answer is read than is of use.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use async_trait::async_trait;
use domain::Rejection;
use domain::rejection::FieldProblem;
use domain::webhook::is_private;
use engine::Fault;
use engine::ports::{Call, Outbound, OutboundResponse};
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use store::model::ANSWER_MAX;

use crate::http_client::http_client;

/// Bytes of an answer that are read so that the connection can be used again; a longer one costs its connection.
const READ_MAX: usize = 64 * 1024;
/// How long a connection may wait for its next request.
const IDLE: Duration = Duration::from_secs(30);

const PRIVATE: &str = "a private address";

#[derive(Clone, Copy, Debug)]
pub struct DelivererSettings {
    pub allow_private: bool,
    /// For the connection alone.
    pub connect_timeout: Duration,
    /// For everything.
    pub timeout: Duration,
}

#[derive(Debug)]
pub struct Deliverer {
    client: reqwest::Client,
    allow_private: bool,
}

impl Deliverer {
    pub fn new(settings: DelivererSettings) -> Result<Self, Fault> {
        let DelivererSettings { allow_private, connect_timeout, timeout } = settings;
        let client = http_client()
            .connect_timeout(connect_timeout)
            .timeout(timeout)
            .pool_idle_timeout(IDLE)
            .user_agent(concat!("Windfall/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(Judging { allow_private })
            .build()
            .map_err(|error| Fault::caused("the client of webhooks", error))?;
        Ok(Self { client, allow_private })
    }

    /// An address that is written as a number is not looked up; it is judged here.
    fn judged(&self, url: &str) -> Result<Url, Rejection> {
        let malformed = || Rejection::invalid("url", FieldProblem::Malformed);
        let url = Url::parse(url).map_err(|_| malformed())?;
        let host = url.host_str().ok_or_else(malformed)?;
        let number: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
        let is_here = host.trim_end_matches('.').rsplit('.').next() == Some("localhost");
        if !self.allow_private && (is_here || number.is_some_and(is_private)) {
            return Err(Rejection::WebhookAddressPrivate);
        }
        Ok(url)
    }
}

#[async_trait]
impl Outbound for Deliverer {
    fn check(&self, url: &str) -> Result<(), Rejection> {
        self.judged(url).map(drop)
    }

    async fn post(&self, call: Call<'_>) -> Result<OutboundResponse, String> {
        let url = self.judged(call.url).map_err(|refused| refused.code().to_owned())?;
        let mut request = self.client.post(url).body(call.body.to_owned());
        for (name, value) in call.headers {
            request = request.header(*name, value);
        }
        let mut response = request.send().await.map_err(why)?;
        let (status, mut body, mut read) = (response.status().as_u16(), Vec::new(), 0);
        while read < READ_MAX {
            let Some(chunk) = response
                .chunk()
                .await
                .map_err(|error| format!("answered {status}, and broke off: {}", why(error)))?
            else {
                break;
            };
            read += chunk.len();
            let wanted = ANSWER_MAX - body.len();
            body.extend_from_slice(chunk.get(..wanted).unwrap_or(&chunk));
        }
        Ok(OutboundResponse { status, body })
    }
}

/// In few words, without the address: it may hold a secret of the receiver's.
fn why(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "timed out".to_owned();
    }
    let error = error.without_url();
    let mut story = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        story.push_str(": ");
        story.push_str(&cause.to_string());
        source = cause.source();
    }
    story
}

/// Looks names up, and answers only if nothing private is among what they lead to.
#[derive(Debug)]
struct Judging {
    allow_private: bool,
}

impl Resolve for Judging {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if !allow_private && found.iter().any(|address| is_private(address.ip())) {
                return Err(PRIVATE.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deliverer(allow_private: bool) -> Deliverer {
        let second = Duration::from_secs(1);
        Deliverer::new(DelivererSettings { allow_private, connect_timeout: second, timeout: second }).unwrap()
    }

    #[tokio::test]
    async fn private_addresses_are_refused_however_they_are_written() {
        let (closed, open) = (deliverer(false), deliverer(true));
        for (url, expected) in [
            ("https://example.com/x", Ok(())),
            ("https://1.1.1.1/x", Ok(())),
            ("https://[2606:4700::1111]/x", Ok(())),
            ("http://127.0.0.1:9/x", Err("webhook_address_private")),
            ("http://127.1/x", Err("webhook_address_private")),
            ("http://2130706433/x", Err("webhook_address_private")),
            ("http://0x7f.0.0.1/x", Err("webhook_address_private")),
            ("http://0177.0.0.1/x", Err("webhook_address_private")),
            ("http://169.254.169.254/latest", Err("webhook_address_private")),
            ("http://[::1]/x", Err("webhook_address_private")),
            ("http://[::ffff:10.0.0.1]/x", Err("webhook_address_private")),
            ("http://localhost:80/x", Err("webhook_address_private")),
            ("http://LOCALHOST./x", Err("webhook_address_private")),
            ("http://a.localhost/x", Err("webhook_address_private")),
            ("http://[zz]/x", Err("invalid_field")),
        ] {
            assert_eq!(closed.check(url).map_err(|refused| refused.code()), expected, "{url}");
            let allowed = if expected == Err("invalid_field") { expected } else { Ok(()) };
            assert_eq!(open.check(url).map_err(|refused| refused.code()), allowed, "{url}");
        }
        let call = Call { url: "http://127.0.0.1:9/x", headers: &[], body: "" };
        assert_eq!(closed.post(call).await, Err("webhook_address_private".to_owned()));
    }

    #[tokio::test]
    async fn a_name_that_leads_to_a_private_address_is_refused_when_it_is_looked_up() {
        // Every machine knows this name, and nothing in its text tells.
        for (allow_private, refused) in [(false, true), (true, false)] {
            let found = Judging { allow_private }.resolve("localhost".parse().unwrap()).await;
            let said = found.err().map(|error| error.to_string());
            assert_eq!(said.as_deref() == Some(PRIVATE), refused);
        }
    }
}
