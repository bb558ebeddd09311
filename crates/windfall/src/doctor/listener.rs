//! The port to serve on: free, or taken by a Windfall that already runs.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::check::Check;

const NAME: &str = "listen port";
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
const ANSWER_BYTES_MAX: u64 = 4096;

pub async fn check(listen: SocketAddr, tls: bool) -> Check {
    match TcpListener::bind(listen).await {
        Ok(_) => Check::ok(NAME, format!("{listen} is free")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => check_taken(listen, tls).await,
        Err(error) => {
            let advice = "set http.listen to an address of this machine and a port that this user may open";
            Check::fail(NAME, format!("{listen}: {error}"), advice)
        }
    }
}

async fn check_taken(listen: SocketAddr, tls: bool) -> Check {
    if tls {
        let advice = "if this is not Windfall, set http.listen to another port";
        return Check::warn(
            NAME,
            format!("{listen} is in use; because TLS is on, it was not checked by which program"),
            advice,
        );
    }
    match tokio::time::timeout(ANSWER_TIMEOUT, ask(reachable(listen))).await {
        Ok(Ok(answer)) if is_windfall(&answer) => {
            Check::ok(NAME, format!("running: Windfall responds on {listen}"))
        }
        _ => Check::fail(
            NAME,
            format!("{listen} is used by another program"),
            "stop that program, or set http.listen to another port",
        ),
    }
}

/// "Every address" is no address to call; the same port on loopback is.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

async fn ask(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Healthy, and naming itself in a header or the body.
fn is_windfall(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 200") && answer.to_lowercase().contains("windfall")
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckState;
    use super::*;

    #[test]
    fn answers_by_rows() {
        let rows = [
            ("HTTP/1.1 200 OK\r\nserver: Windfall/0.1\r\n\r\nok", true),
            ("HTTP/1.1 200 OK\r\n\r\n{\"name\":\"windfall\"}", true),
            ("HTTP/1.1 200 OK\r\n\r\nok", false),
            ("HTTP/1.1 404 Not Found\r\n\r\nno windfall here", false),
            ("", false),
        ];
        for (answer, expected) in rows {
            assert_eq!(is_windfall(answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn reachable_by_rows() {
        let rows =
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("192.0.2.1:80", "192.0.2.1:80")];
        for (listen, expected) in rows {
            assert_eq!(reachable(listen.parse().unwrap()).to_string(), expected);
        }
    }

    #[tokio::test]
    async fn a_port_is_free_running_or_taken() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let rows = [("server: windfall", CheckState::Ok), ("server: other", CheckState::Fail)];
        for (header, state) in rows {
            let answering = async {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = [0; 512];
                assert!(stream.read(&mut request).await.unwrap() > 0);
                let answer = format!("HTTP/1.1 200 OK\r\n{header}\r\ncontent-length: 0\r\n\r\n");
                stream.write_all(answer.as_bytes()).await.unwrap();
            };
            let (check, ()) = tokio::join!(check(address, false), answering);
            assert_eq!(check.state, state, "{header}");
        }
        drop(listener);
        assert_eq!(check(address, false).await.state, CheckState::Ok);
    }
}
