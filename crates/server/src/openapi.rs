//! The API document, generated from the handlers, and the prefix all of them share.

use axum::Router;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi, ServerBuilder};
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::routes;

pub const PREFIX: &str = "/api/v1";

const ABOUT: &str = "Prize draws, flash sales and stock reservation: never oversold, never lost, never drawn \
twice, and anyone can check.\n\nEvery write may be repeated: send an `Idempotency-Key` with what creates \
something; commands to stock have an id of their own. Every answer that is a \"no\" is `application/problem+json` with a stable `code` and a text in \
English or Chinese by `Accept-Language`. Ids are strings. Listings are pages: give `next` back as `after`.";

/// The document as it is served, printed by `windfall openapi`, and kept in `api/openapi.json`.
pub fn document() -> OpenApi {
    let mut document = split(routes::api()).1;
    document.info = InfoBuilder::new()
        .title("Windfall")
        .version("1")
        .description(Some(ABOUT))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()))
        .contact(None::<utoipa::openapi::Contact>)
        .build();
    document.servers = Some(vec![ServerBuilder::new().url(PREFIX).build()]);
    let components = document.components.get_or_insert_default();
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("windfall_session")));
    components.add_security_scheme("session", cookie);
    let key = SecurityScheme::Http(
        HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("An API key: `wfk_…`")).build(),
    );
    components.add_security_scheme("key", key);
    document
}

pub(crate) fn split(router: OpenApiRouter<App>) -> (Router<App>, OpenApi) {
    router.split_for_parts()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clients are generated from the document, and an operation's name becomes a name in them.
    #[test]
    fn no_two_operations_have_the_same_name() {
        let text = document().to_json().unwrap();
        let mut names: Vec<_> =
            text.split(r#""operationId""#).skip(1).filter_map(|rest| rest.split('"').nth(1)).collect();
        assert!(names.len() > 100, "{names:?}");
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
