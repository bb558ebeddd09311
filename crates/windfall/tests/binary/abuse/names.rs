//! Names that are far too long: what is told about them must not cost more than it says.

use crate::process::shared;

/// Half a megabyte of name in every kind of place, in the middle of what is otherwise right. Each is refused by name, with
/// the beginning of what was sent and nothing more; that little was computed for it is shown where it is computed.
#[tokio::test]
async fn hole_64_a_name_of_half_a_megabyte_is_refused_and_not_compared() {
    let (_, server) = shared().await;
    let (person, staff) = (server.person(&[]).await, server.person(&["operator"]).await);
    let key = server.new_key(&["inventory", "facts"]).await;
    let names = ["x".repeat(500_000), "`".repeat(500_000), "`, `".repeat(125_000), "名`".repeat(125_000)];
    for name in &names {
        let body = format!("{{\"recipient\":\"a\",\"{name}\":1}}");
        let json =
            |call: crate::client::Call| call.header("content-type", "application/json").body(body.clone());
        for call in [
            json(server.by(&staff, "POST", "/me/addresses")),
            json(server.by(&staff, "PATCH", "/me")),
            json(server.api("POST", "/inventory/batch").key(&key.secret)),
            json(server.api("POST", "/inventory/pools").key(&key.secret)),
        ] {
            let answer = call.refused(400, "invalid_field").await;
            assert!(answer.body.len() < 2_000, "{} bytes come back", answer.body.len());
            assert!(!answer.text().contains("did you mean"), "{}", answer.text());
        }
        // Of a player, and of somebody whom nobody knows, so much is not even read.
        json(server.by(&person, "POST", "/me/addresses")).refused(413, "body_too_large").await;
        json(server.api("POST", "/auth/sign-in/password")).refused(413, "body_too_large").await;
    }
    let shorter = "x".repeat(10_000);
    let call = server.api("POST", "/auth/sign-in/password").header("content-type", "application/json");
    call.body(format!("{{\"{shorter}\":1}}")).refused(400, "invalid_field").await;
    server.api("GET", &format!("/play/activities?{shorter}=1")).refused(400, "invalid_field").await;
    // A slip of the finger still gets its hint.
    let call = server.by(&person, "POST", "/me/addresses").json(serde_json::json!({ "recipeint": "a" }));
    assert!(call.refused(400, "invalid_field").await.text().contains("did you mean recipient"));
}
