//! Before codes are imported, and codes that nobody shall get.

use serde_json::json;

use super::{import, pool};
use crate::fulfilment::fixtures::{id, stands, won};
use crate::people::fresh_external;
use crate::process::shared;

#[tokio::test]
async fn a_preview_counts_and_writes_nothing() {
    let (_, server) = shared().await;
    let (one, x) = (pool(server).await, fresh_external());
    import(server, &one, &format!("{x}-a\n")).await;
    let preview = |text: String| {
        let call = server.console("POST", &format!("/code-pools/{one}/codes/preview"));
        call.header("content-type", "text/plain").body(text)
    };
    let text = format!("兑换码\n{x}-a\n{x}-b\n{x}-b\n\n{x}-c\n");
    let told = preview(text.clone()).expect(200).await.json();
    let expected =
        json!({ "fresh": 2, "already": 1, "repeated": 1, "malformed": 2, "malformed_lines": [1, 5] });
    assert_eq!(told, expected);
    let found = server.console("GET", &format!("/code-pools/{one}")).expect(200).await.json();
    assert_eq!(found["imported"], 1, "nothing was written");
    // A heading that would be given to somebody is refused.
    let call =
        server.console("POST", &format!("/code-pools/{one}/codes")).header("content-type", "text/plain");
    call.body(format!("兑换码\n{x}-b\n")).refused(422, "flawed").await;
}

#[tokio::test]
async fn a_code_that_is_retired_reaches_nobody() {
    let (_, server) = shared().await;
    let (one, x) = (pool(server).await, fresh_external());
    import(server, &one, &format!("{x}-heading\n{x}-a\n{x}-b\n{x}-c\n")).await;
    let retire = |body| server.console("POST", &format!("/code-pools/{one}/retire")).json(body);
    let body = json!({ "codes": [format!("{x}-heading"), "elsewhere"], "reason": "no code" });
    let told = retire(body.clone()).expect(200).await.json();
    assert_eq!((&told["retired"], &told["unknown"], &told["given"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!((&told["pool"]["left"], &told["pool"]["retired"]), (&json!(3), &json!(1)));
    assert_eq!(retire(body).expect(200).await.json()["retired"], 0, "the same again");
    assert_eq!(import(server, &one, &format!("{x}-heading")).await.json()["already"], 1, "and stays known");

    let ann = server.person(&[]).await;
    let prize = json!({ "kind": "code", "pool": one });
    let (_, win) = won(server, &prize, |call| call.cookie(&ann.cookie)).await;
    stands(server, &id(&win), "given").await;
    let path = format!("/fulfilments/{}/code?reason=test", id(&win));
    let code = server.console("GET", &path).expect(200).await.member("code");
    assert_eq!(code, format!("{x}-a"), "the first that is not retired");
    let late = retire(json!({ "codes": [code], "reason": "too late" })).expect(200).await.json();
    assert_eq!((&late["retired"], &late["given"]), (&json!(0), &json!(1)));
    let rest = retire(json!({ "reason": "the issuer took them back" })).expect(200).await.json();
    assert_eq!((&rest["retired"], &rest["pool"]["left"]), (&json!(2), &json!(0)));
    let admin = server.person(&["admin"]).await;
    let log = server.by(&admin, "GET", &format!("/admin/audit?subject=code_pool:{one}")).expect(200).await;
    let reasons: Vec<_> = log
        .items()
        .into_iter()
        .filter(|line| line["action"] == "codes.retire")
        .map(|line| line["reason"].clone())
        .collect();
    assert_eq!(reasons, ["the issuer took them back", "no code"]);
}
