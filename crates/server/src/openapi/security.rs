//! The kinds of callers, as the API document names them.

use domain::access::Scope;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};

use crate::cookies;

const SESSION: &str = "session";
const KEY: &str = "key";
const CONSOLE: &str = "console";

/// Somebody who is signed in.
pub fn session() -> SecurityRequirement {
    SecurityRequirement::new::<_, _, &str>(SESSION, [])
}

/// A key with this scope.
pub fn key(scope: Scope) -> SecurityRequirement {
    SecurityRequirement::new(KEY, [scope.name()])
}

/// The command line on the machine itself.
pub fn console() -> SecurityRequirement {
    SecurityRequirement::new::<_, _, &str>(CONSOLE, [])
}

/// How each kind of caller is recognised.
pub(super) fn add_schemes(document: &mut OpenApi, secure: bool) {
    let components = document.components.get_or_insert_default();
    let about = format!(
        "The cookie of somebody who is signed in. It is called `{}` behind TLS and `{}` without.",
        cookies::name(true),
        cookies::name(false)
    );
    let cookie = ApiKeyValue::with_description(cookies::name(secure), &about);
    components.add_security_scheme(SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    let about = "An API key, `wfk_…`. The names beside it are its scopes: one of the listed ones is needed.";
    let key = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(about)).build();
    components.add_security_scheme(KEY, SecurityScheme::Http(key));
    let console = SecurityScheme::MutualTls {
        description: Some(
            "By the connection: only the command line on the machine itself, over the socket in the data folder. No \
             header and no certificate makes a request one of these."
                .to_owned(),
        ),
        deprecated: None,
        extensions: None,
    };
    components.add_security_scheme(CONSOLE, console);
}
