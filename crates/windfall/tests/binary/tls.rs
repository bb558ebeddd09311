//! HTTPS from the binary itself, with a certificate made for the test.

use std::sync::Arc;

use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::client::Call;
use crate::process::{Home, Server};

/// A client that trusts this certificate and no other.
pub fn connector(certificate: &CertificateDer<'static>, protocols: &[&[u8]]) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    TlsConnector::from(Arc::new(config))
}

/// A certificate and its files, for as long as they are needed.
pub struct Certificate {
    pub files: tempfile::TempDir,
    pub der: CertificateDer<'static>,
}

impl Certificate {
    pub fn new() -> Self {
        let made = rcgen::generate_simple_self_signed(vec!["play.example".to_owned()]).unwrap();
        let files = tempfile::tempdir().unwrap();
        std::fs::write(files.path().join("cert.pem"), made.cert.pem()).unwrap();
        std::fs::write(files.path().join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        Self { files, der: made.cert.der().clone() }
    }

    fn home(&self, more: &[(&str, &str)]) -> Home {
        let [cert, key] = ["cert.pem", "key.pem"].map(|name| self.files.path().join(name));
        let mut settings = vec![
            ("WINDFALL__TLS__CERT_FILE", cert.to_str().unwrap()),
            ("WINDFALL__TLS__KEY_FILE", key.to_str().unwrap()),
        ];
        settings.extend(more);
        Home::with(&settings)
    }
}

#[tokio::test]
async fn https_with_a_certificate_of_ones_own() {
    let made = Certificate::new();
    let home = made.home(&[]);
    let server = home.demo().await;
    let connector = connector(&made.der, &[]);

    let alive = over_tls(&connector, &server, server.page("GET", "/healthz")).await;
    assert_eq!((alive.status, alive.member("name").as_str()), (200, "windfall"));
    assert!(alive.header("strict-transport-security").starts_with("max-age="), "{:?}", alive.headers);

    let body = json!({ "phone": "13800000001", "password": "windfall-demo" });
    let sign_in = server.api("POST", "/auth/sign-in/password").json(body);
    let entered = over_tls(&connector, &server, sign_in).await;
    assert_eq!(entered.status, 200, "{}", entered.text());
    let set = entered.header("set-cookie");
    assert!(set.starts_with("__Host-windfall_session=") && set.contains("; Secure"), "{set}");
    let me = server.api("GET", "/me").cookie(&entered.cookie());
    assert_eq!(over_tls(&connector, &server, me).await.status, 200);
    // A visitor's cookie is as safe: no sibling host can plant one.
    let page = over_tls(&connector, &server, server.page("GET", "/")).await;
    let set = page.header("set-cookie");
    assert!(set.starts_with("__Host-windfall_visitor=") && set.ends_with("; Secure"), "{set}");

    // Whoever speaks plain HTTP gets no answer at all.
    let plain = TcpStream::connect(server.address).await.unwrap();
    let io = TokioIo::new(plain);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::get("/healthz").body(Empty::<Bytes>::new());
    assert!(sender.send_request(request.unwrap()).await.is_err());
}

/// Over HTTP/2 nobody keeps a place by answering pings: a connection without a request is closed in the time that HTTP/1.1
/// has for the next head. One with a stream stays.
#[tokio::test]
async fn an_http_2_connection_on_which_nothing_is_asked_is_closed() {
    let made = Certificate::new();
    let mut home = made.home(&[]);
    let server = home.demo().await;
    let list = server.page("GET", "/api/v1/play/activities");
    let activities = over_tls(&connector(&made.der, &[]), &server, list).await.items();
    let path = format!("/api/v1/play/activities/{}/winners/events", activities[0]["id"].as_str().unwrap());
    assert!(server.stop().await.success());
    home.set("WINDFALL__HTTP__HEADER_TIMEOUT_MS", "1000");
    let server = home.demo().await;
    let connector = connector(&made.der, &[b"h2"]);

    let (mut busy, busy_connection, stream) = ask_on_a_new_one(&connector, &server, &path).await;
    assert_eq!((stream.status().as_u16(), stream.version()), (200, http::Version::HTTP_2));

    let (mut asks, connection, alive) = ask_on_a_new_one(&connector, &server, "/healthz").await;
    assert_eq!(alive.status(), 200);
    let ended = connection.await.unwrap();
    assert!(ended.is_ok(), "with a word, not by being cut: {ended:?}");
    assert!(asks.send_request(get("/healthz")).await.is_err());
    // The one with the stream is older and has heard nothing of the kind.
    assert!(!busy_connection.is_finished());
    assert_eq!(busy.send_request(get("/healthz")).await.unwrap().status(), 200);
    drop(stream);
    assert!(busy_connection.await.unwrap().is_ok());
}

/// A connection and the answer to the first request on it. On a busy machine it may be closed before it is asked on, and
/// another one is opened.
async fn ask_on_a_new_one(
    connector: &TlsConnector,
    server: &Server,
    path: &str,
) -> (Http2Sender, JoinHandle<hyper::Result<()>>, http::Response<Incoming>) {
    loop {
        let Ok((mut sender, connection)) = http_2(connector, server).await else { continue };
        if let Ok(answer) = sender.send_request(get(path)).await {
            return (sender, connection, answer);
        }
    }
}

type Http2Sender = hyper::client::conn::http2::SendRequest<Empty<Bytes>>;

async fn http_2(
    connector: &TlsConnector,
    server: &Server,
) -> hyper::Result<(Http2Sender, JoinHandle<hyper::Result<()>>)> {
    let io = TokioIo::new(tls(connector, server).await);
    let (sender, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await?;
    Ok((sender, tokio::spawn(connection)))
}

fn get(path: &str) -> http::Request<Empty<Bytes>> {
    http::Request::get(format!("https://play.example{path}")).body(Empty::new()).unwrap()
}

async fn tls(connector: &TlsConnector, server: &Server) -> TlsStream<TcpStream> {
    let stream = TcpStream::connect(server.address).await.unwrap();
    let name = ServerName::try_from("play.example").unwrap();
    connector.connect(name, stream).await.unwrap()
}

async fn over_tls(connector: &TlsConnector, server: &Server, call: Call) -> crate::client::Answer {
    call.send_over(tls(connector, server).await).await
}
