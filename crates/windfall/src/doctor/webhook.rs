//! The code webhook: can its host be reached? Nothing is posted to it.

use std::time::Duration;

use tokio::net::TcpStream;

use super::check::Check;

const NAME: &str = "code webhook";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

pub async fn check(url: &str) -> Check {
    let advice =
        "check code.webhook_url, name resolution and the firewall: without it nobody can sign in by code";
    let Some((host, port)) = host_and_port(url) else {
        return Check::fail(NAME, "the address names no host", advice);
    };
    match tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect((host, port))).await {
        Ok(Ok(_)) => Check::ok(NAME, format!("{host} answers on port {port}")),
        Ok(Err(error)) => Check::fail(NAME, format!("{host}, port {port}: {error}"), advice),
        Err(_) => Check::fail(NAME, format!("{host}, port {port}: no answer in 3 s"), advice),
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
