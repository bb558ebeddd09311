//! People and keys to make requests with.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use crate::client::Call;
use crate::process::Server;

/// Somebody with an account, a password and a session.
#[derive(Clone, Debug)]
pub struct Person {
    pub id: String,
    pub phone: String,
    /// Nobody else's.
    pub password: String,
    pub cookie: String,
}

/// An API key of the company's backend.
#[derive(Clone, Debug)]
pub struct Key {
    pub id: String,
    pub secret: String,
}

fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A phone that nobody in this process was given before.
pub fn fresh_phone() -> String {
    format!("139{:08}", next())
}

pub fn fresh_password() -> String {
    format!("correct horse {}", next())
}

/// One of the company's own user ids, never used before.
pub fn fresh_external() -> String {
    format!("crm-{}", next())
}

/// An address as it is sent.
pub fn address(street: &str) -> serde_json::Value {
    json!({ "recipient": "小满", "phone": "13800000001", "region": "上海市 浦东新区", "street": street })
}

impl Server {
    /// Somebody new with these roles, made on the command line and signed in by password.
    pub async fn person(&self, roles: &[&str]) -> Person {
        let (phone, password) = (fresh_phone(), fresh_password());
        let body = json!({ "phone": phone, "password": password, "roles": roles });
        let made = self.console("POST", "/admin/users").json(body).expect(201).await;
        let cookie = self.sign_in(&phone, &password).await;
        Person { id: made.member("id"), phone, password, cookie }
    }

    /// A new session by password; answers its cookie.
    pub async fn sign_in(&self, phone: &str, password: &str) -> String {
        let body = json!({ "phone": phone, "password": password });
        self.api("POST", "/auth/sign-in/password").json(body).expect(200).await.cookie()
    }

    /// A new session with a code; answers its cookie.
    pub async fn sign_in_by_code(&self, phone: &str) -> String {
        let body = json!({ "phone": phone, "code": self.code(phone, "sign_in").await });
        self.api("POST", "/auth/sign-in/code").json(body).expect(200).await.cookie()
    }

    /// A code as a demo server shows it. Once a minute for each phone and purpose.
    pub async fn code(&self, phone: &str, purpose: &str) -> String {
        let body = json!({ "phone": phone, "purpose": purpose });
        self.api("POST", "/auth/codes").json(body).expect(202).await.member("demo_code")
    }

    /// A code to somebody's own phone, or to the one they want.
    pub async fn my_code(&self, person: &Person, new_phone: Option<&str>) -> String {
        let body = new_phone.map_or(json!({}), |phone| json!({ "new_phone": phone }));
        self.by(person, "POST", "/me/codes").json(body).expect(202).await.member("demo_code")
    }

    pub async fn new_key(&self, scopes: &[&str]) -> Key {
        let body = json!({ "name": "a key", "scopes": scopes });
        let made = self.console("POST", "/admin/keys").json(body).expect(201).await;
        Key { id: made.member("id"), secret: made.member("secret") }
    }

    pub async fn ban(&self, user: &str) {
        let path = format!("/admin/users/{user}/ban");
        self.console("PUT", &path).json(json!({ "reason": "fraud" })).expect(204).await;
    }

    /// A request with somebody's session.
    pub fn by(&self, person: &Person, method: &str, path: &str) -> Call {
        self.api(method, path).cookie(&person.cookie)
    }
}

/// The hash under which the database knows a session, given its cookie.
pub fn token_hash(cookie: &str) -> Vec<u8> {
    let (_, token) = cookie.split_once('=').unwrap();
    ring::digest::digest(&ring::digest::SHA256, token.as_bytes()).as_ref().to_vec()
}
