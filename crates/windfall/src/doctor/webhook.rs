//! The code webhook: can its host be reached? Nothing is posted to it.

use std::time::Duration;

use tokio::net::TcpStream;

use super::check::Check;

const NAME: &str = "code webhook";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

pub async fn check(url: &str) -> Check {
    let advice = "check code.webhook_url, DNS and the firewall: without it nobody can sign in by code";
    let Some((host, port)) = host_and_port(url) else {
        return Check::fail(NAME, "the address has no host", advice);
    };
    match tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect((host, port))).await {
        Ok(Ok(_)) => Check::ok(NAME, format!("{host} responds on port {port}")),
        Ok(Err(error)) => Check::fail(NAME, format!("{host}, port {port}: {error}"), advice),
        Err(_) => Check::fail(NAME, format!("{host}, port {port}: no response in 3 s"), advice),
    }
}

/// Refunds are delivered like webhooks, and so are refused by the same rule: to private addresses they do not go unless
/// `webhooks.allow_private` says so. A name is looked up as the delivery would.
pub async fn check_refunds(url: &str, allow_private: bool) -> Check {
    const NAME: &str = "refunds";
    let Some((host, port)) = host_and_port(url) else {
        return Check::fail(NAME, "payments.refund_url has no host", "check payments.refund_url");
    };
    let looked_up = tokio::time::timeout(CONNECT_TIMEOUT, tokio::net::lookup_host((host, port))).await;
    let addresses: Vec<_> = match looked_up {
        Ok(Ok(addresses)) => addresses.collect(),
        Ok(Err(error)) => {
            return Check::fail(NAME, format!("{host}: {error}"), "check payments.refund_url and DNS");
        }
        Err(_) => {
            return Check::fail(NAME, format!("{host} was not resolved in 3 s"), "check name resolution");
        }
    };
    let private = addresses.iter().find(|address| domain::webhook::is_private(address.ip()));
    match private {
        Some(address) if !allow_private => {
            let found = format!(
                "{host} resolves to {}, a private address: every refund would be rejected",
                address.ip()
            );
            let advice = "use a public address, or set webhooks.allow_private = true";
            Check::fail(NAME, found, advice)
        }
        _ => Check::ok(NAME, format!("sent to {host}, port {port}")),
    }
}

/// From `https://user@host:8443/path?query` to the host, without the brackets of IPv6, and the port.
fn host_and_port(url: &str) -> Option<(&str, u16)> {
    let (rest, usual) = match url.strip_prefix("https://") {
        Some(rest) => (rest, 443),
        None => (url.strip_prefix("http://")?, 80),
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let place = authority.rsplit('@').next()?;
    let (host, port) = match place.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']')?,
        None => place.split_at(place.find(':').unwrap_or(place.len())),
    };
    let port = match port.strip_prefix(':') {
        Some(port) => port.parse().ok()?,
        None if port.is_empty() => usual,
        None => return None,
    };
    (!host.is_empty()).then_some((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn refunds_by_rows() {
        use super::super::check::CheckState;
        for (url, allow_private, state) in [
            ("http://127.0.0.1:9/refund", false, CheckState::Fail),
            ("http://127.0.0.1:9/refund", true, CheckState::Ok),
            ("https://10.1.2.3/refund", false, CheckState::Fail),
            ("https://[::1]/refund", false, CheckState::Fail),
            ("https://localhost/refund", false, CheckState::Fail),
            ("https://203.0.113.7/refund", false, CheckState::Fail),
            ("https://9.9.9.9/refund", false, CheckState::Ok),
            ("https:///refund", true, CheckState::Fail),
        ] {
            let check = check_refunds(url, allow_private).await;
            assert_eq!(check.state, state, "{url}: {check:?}");
        }
    }

    #[test]
    fn addresses_by_rows() {
        let rows = [
            ("http://sms.example", Some(("sms.example", 80))),
            ("https://sms.example/send?x=1", Some(("sms.example", 443))),
            ("https://sms.example:8443/send", Some(("sms.example", 8443))),
            ("https://user:pass@sms.example:8443", Some(("sms.example", 8443))),
            ("http://[::1]:9000/x", Some(("::1", 9000))),
            ("http://[::1]", Some(("::1", 80))),
            ("http://[::1", None),
            ("http://sms.example:port", None),
            ("http://:80", None),
            ("https:///send", None),
            ("ftp://sms.example", None),
        ];
        for (url, expected) in rows {
            assert_eq!(host_and_port(url), expected, "{url}");
        }
    }
}
