//! Which route an address belongs to: metrics and logs must not grow with the ids in it.

use matchit::Router;

use crate::openapi::{PREFIX, document};

/// What is served beside the API.
const BESIDE: [&str; 20] = [
    "/",
    "/enter",
    "/sign-in",
    "/register",
    "/shop",
    "/activities/{id}",
    "/activities/{id}/{*rest}",
    "/me",
    "/me/{*rest}",
    "/console",
    "/console/{*rest}",
    "/favicon.ico",
    "/docs",
    "/docs/{*rest}",
    "/docs/problems",
    "/assets/{name}",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v1/openapi.json",
];

/// What no route is for.
const OTHER: &str = "other";

/// The patterns of all routes.
#[derive(Debug)]
pub struct Patterns(Router<String>);

impl Patterns {
    pub fn new() -> Self {
        let api = document().paths.paths.into_keys().map(|path| format!("{PREFIX}{path}"));
        let mut router = Router::new();
        for pattern in api.chain(BESIDE.map(str::to_owned)) {
            // Two that cannot be told apart cannot both be routes; the router of the application has refused that.
            let _ = router.insert(pattern.clone(), pattern);
        }
        Self(router)
    }

    pub fn of(&self, path: &str) -> &str {
        self.0.at(path).map_or(OTHER, |found| found.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_by_its_route() {
        let patterns = Patterns::new();
        for (path, expected) in [
            ("/api/v1/play/activities/77/draws", "/api/v1/play/activities/{id}/draws"),
            ("/api/v1/time", "/api/v1/time"),
            ("/api/v1/openapi.json", "/api/v1/openapi.json"),
            ("/", "/"),
            ("/docs/problems", "/docs/problems"),
            ("/docs/swagger-ui.css", "/docs/{*rest}"),
            ("/assets/page.js", "/assets/{name}"),
            ("/activities/77/fairness/9", "/activities/{id}/{*rest}"),
            ("/console/activities", "/console/{*rest}"),
            ("/metrics", "/metrics"),
            ("/api/v1/no/such", "other"),
            ("/../etc", "other"),
        ] {
            assert_eq!(patterns.of(path), expected, "{path}");
        }
    }
}
