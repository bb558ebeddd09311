//! Who gets a page: browsers, for addresses that no route is for; nobody below the API, and no program.

use crate::process;

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Method, address, what is accepted, the status, and how the content type begins.
const ROWS: [(&str, &str, &str, u16, &str); 13] = [
    ("GET", "/", "*/*", 200, "text/html"),
    ("GET", "/enter", "*/*", 200, "text/html"),
    ("GET", "/activities/77", BROWSER, 200, "text/html"),
    ("HEAD", "/me/wins", BROWSER, 200, "text/html"),
    ("GET", "/console", BROWSER, 200, "text/html"),
    ("GET", "/console/", BROWSER, 200, "text/html"),
    ("GET", "/console/activities/77", BROWSER, 200, "text/html"),
    ("GET", "/mark.svg", "*/*", 200, "image/svg+xml"),
    ("GET", "/favicon.ico", "*/*", 200, "image/svg+xml"),
    ("GET", "/activities/77", "application/json", 404, "application/problem+json"),
    ("POST", "/activities/77", BROWSER, 404, "application/problem+json"),
    ("GET", "/assets/gone-00000000.js", BROWSER, 404, "application/problem+json"),
    ("GET", "/api/v1/no/such", BROWSER, 404, "application/problem+json"),
    ("GET", "/%2e%2e/%2e%2e/Cargo.toml", BROWSER, 404, "application/problem+json"),
];

#[tokio::test]
async fn browsers_get_pages_and_nobody_else() {
    let (_, server) = process::shared().await;
    for (method, address, accept, status, kind) in ROWS {
        let answer = server.page(method, address).header("accept", accept).expect(status).await;
        assert!(answer.header("content-type").starts_with(kind), "{method} {address}: {:?}", answer.headers);
        assert!(answer.header("content-security-policy").starts_with("default-src 'self'"), "{address}");
        if kind == "text/html" {
            assert_eq!(answer.header("cache-control"), "no-cache", "{address}");
        }
    }
}
