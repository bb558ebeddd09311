//! Pictures: uploaded once, shown in a few sizes.

use serde_json::json;

use super::fixtures::*;
use crate::process::shared;

#[tokio::test]
async fn a_picture_is_uploaded_once_and_shown_to_everybody() {
    let (_, server) = shared().await;
    let (operator, bytes) = (server.person(&["operator"]).await, fresh_picture());
    let upload = |bytes: &[u8]| {
        server.by(&operator, "POST", "/pictures").header("content-type", "image/png").body(bytes.to_vec())
    };
    let first = upload(&bytes).expect(201).await.json();
    assert_eq!((&first["width"], &first["height"]), (&json!(2), &json!(1)));
    assert_eq!(upload(&bytes).expect(200).await.json(), first, "the same again");
    let id = first["id"].as_str().unwrap();
    for query in ["", "?width=1", "?width=4000"] {
        let shown = server.api("GET", &format!("/pictures/{id}{query}")).expect(200).await;
        assert_eq!(shown.header("content-type"), "image/jpeg");
        assert!(shown.header("cache-control").contains("immutable"));
    }
    let sale = published(server, teapots(json!({ "sale.pictures": [id] }))).await;
    let seen = server.api("GET", &format!("/sales/{sale}")).expect(200).await.json();
    assert_eq!(seen["item"]["pictures"], json!([first["src"]]));
}

#[tokio::test]
async fn what_is_no_picture_is_refused_by_name() {
    let (_, server) = shared().await;
    let operator = server.person(&["operator"]).await;
    let whole = fresh_picture();
    for (said, bytes, status, code) in [
        ("image/gif", &whole[..], 415, "picture_media_type"),
        ("application/json", b"{}", 415, "picture_media_type"),
        ("image/svg+xml", b"<svg/>", 415, "picture_media_type"),
        ("image/png", b"<svg/>", 422, "picture_unreadable"),
        ("image/png", b"", 422, "picture_unreadable"),
        ("image/png", &whole[..50], 422, "picture_unreadable"),
        ("image/jpeg", &vec![0; 8 * 1024 * 1024 + 1], 413, "body_too_large"),
    ] {
        let call =
            server.by(&operator, "POST", "/pictures").header("content-type", said).body(bytes.to_vec());
        call.refused(status, code).await;
    }
    // What it is called does not matter once it may be one: its bytes say what it is.
    let call = server.by(&operator, "POST", "/pictures").header("content-type", "image/webp");
    call.body(fresh_picture()).expect(201).await;
    server.api("GET", "/pictures/7").refused(404, "not_found").await;
    server.api("GET", "/pictures/seven").refused(404, "not_found").await;
}
