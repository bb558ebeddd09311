//! The beginning of every HTTP client in the program: one kind of TLS, no redirects, and no proxy of the environment, which
//! would see what is sent and say where it goes.

use reqwest::ClientBuilder;

/// `clippy.toml` refuses every other way to a client.
#[expect(clippy::disallowed_methods, reason = "this is the one way")]
pub fn http_client() -> ClientBuilder {
    // That another part of the program has said so already is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy()
}
