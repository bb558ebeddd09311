//! HTTPS from the binary itself, with a certificate made for the test.

use std::sync::Arc;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::client::Call;
use crate::process::{Home, Server};

/// A client that trusts this certificate and no other.
fn connector(certificate: &CertificateDer<'static>) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

#[tokio::test]
async fn https_with_a_certificate_of_ones_own() {
    let made = rcgen::generate_simple_self_signed(vec!["play.example".to_owned()]).unwrap();
    let files = tempfile::tempdir().unwrap();
    let (cert, key) = (files.path().join("cert.pem"), files.path().join("key.pem"));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let home = Home::with(&[
        ("WINDFALL__TLS__CERT_FILE", cert.to_str().unwrap()),
        ("WINDFALL__TLS__KEY_FILE", key.to_str().unwrap()),
    ]);
    let server = home.demo().await;
    let connector = connector(made.cert.der());

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

    // Whoever speaks plain HTTP gets no answer at all.
    let plain = TcpStream::connect(server.address).await.unwrap();
    let io = hyper_util::rt::TokioIo::new(plain);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::get("/healthz").body(http_body_util::Empty::<hyper::body::Bytes>::new());
    assert!(sender.send_request(request.unwrap()).await.is_err());
}

async fn over_tls(connector: &TlsConnector, server: &Server, call: Call) -> crate::client::Answer {
    let stream = TcpStream::connect(server.address).await.unwrap();
    let name = ServerName::try_from("play.example").unwrap();
    let stream: TlsStream<TcpStream> = connector.connect(name, stream).await.unwrap();
    call.send_over(stream).await
}
