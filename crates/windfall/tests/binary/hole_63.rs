//! Hole 63: "Password reset goes on though its checks failed; any user reads any conversation; the client
//! names the owner of what it likes; CSRF off; MD5." Here a refused reset changes nothing, everybody sees their own
//! things only, the session says who is asking, and requests from other sites are not carried out.

use serde_json::json;

use crate::people::{address, fresh_password, fresh_phone};
use crate::process::shared;

#[tokio::test]
async fn hole_63_a_refused_password_reset_changes_nothing() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let code = server.code(&person.phone, "reset_password").await;
    let wrong_code = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    let sign_in_code = server.code(&person.phone, "sign_in").await;
    let sign_in_code = if sign_in_code == code { wrong_code.clone() } else { sign_in_code };
    let fresh = fresh_password();
    for (what, phone, code, password, status, name) in [
        ("a wrong code", &person.phone, &wrong_code, fresh.as_str(), 401, "code_wrong"),
        ("a code for something else", &person.phone, &sign_in_code, &fresh, 401, "code_wrong"),
        ("a weak password", &person.phone, &code, "aaaaaaaa", 400, "password_weak"),
        ("one's phone as password", &person.phone, &code, &person.phone, 400, "password_weak"),
        ("an empty password", &person.phone, &code, "", 400, "password_weak"),
        ("another phone", &fresh_phone(), &code, &fresh, 401, "code_spent"),
    ] {
        let body = json!({ "phone": phone, "code": code, "password": password });
        let answer = server.api("POST", "/auth/password/reset").json(body).send().await;
        assert_eq!((answer.status, answer.code().as_str()), (status, name), "{what}");
        server.by(&person, "GET", "/me").expect(200).await;
        server.sign_in(&person.phone, &person.password).await;
        let body = json!({ "phone": person.phone, "password": fresh });
        server.api("POST", "/auth/sign-in/password").json(body).refused(401, "credentials_wrong").await;
    }
    // The right code still works, once, and ends every session.
    let body = json!({ "phone": person.phone, "code": code, "password": fresh });
    server.api("POST", "/auth/password/reset").json(body.clone()).expect(204).await;
    server.by(&person, "GET", "/me").refused(401, "unauthenticated").await;
    let old = json!({ "phone": person.phone, "password": person.password });
    server.api("POST", "/auth/sign-in/password").json(old).refused(401, "credentials_wrong").await;
    server.sign_in(&person.phone, &fresh).await;
    server.api("POST", "/auth/password/reset").json(body).refused(401, "code_spent").await;
}

#[tokio::test]
async fn hole_63_a_reset_says_the_same_about_known_and_unknown_phones() {
    let (_, server) = shared().await;
    let known = server.person(&[]).await.phone;
    let mut answers = Vec::new();
    for phone in [known, fresh_phone()] {
        let asked =
            server.api("POST", "/auth/codes").json(json!({ "phone": phone, "purpose": "reset_password" }));
        let mut body = asked.expect(202).await.json();
        body.as_object_mut().unwrap().remove("demo_code");
        answers.push(body);
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn hole_63_nobody_reads_or_changes_what_is_somebody_elses() {
    let (_, server) = shared().await;
    let (ann, eve) = (server.person(&[]).await, server.person(&[]).await);
    let added = server.by(&ann, "POST", "/me/addresses").json(address("first")).expect(201).await;
    let theirs = format!("/me/addresses/{}", added.member("id"));
    let sessions = server.by(&ann, "GET", "/me/sessions").expect(200).await.items();
    let session = format!("/me/sessions/{}", sessions[0]["id"].as_str().unwrap());

    server.by(&eve, "PUT", &theirs).json(address("eve's")).refused(404, "not_found").await;
    server.by(&eve, "DELETE", &theirs).refused(404, "not_found").await;
    server.by(&eve, "DELETE", &session).refused(404, "not_found").await;
    assert_eq!(server.by(&eve, "GET", "/me/addresses").expect(200).await.items().len(), 0);
    assert_eq!(server.by(&eve, "GET", "/me/sessions").expect(200).await.items().len(), 1);
    server.by(&eve, "GET", &format!("/admin/users/{}", ann.id)).refused(403, "forbidden").await;
    server.by(&eve, "GET", &format!("/admin/users/{}/facts", ann.id)).refused(403, "forbidden").await;

    let book = server.by(&ann, "GET", "/me/addresses").expect(200).await.items();
    assert_eq!(book, [added.json()], "as it was");
    // What everybody may see of her says nothing about her phone or roles.
    let profile = server.by(&eve, "GET", &format!("/users/{}", ann.id)).expect(200).await.json();
    for member in ["phone", "roles", "has_password", "external_id", "ban"] {
        assert!(profile.get(member).is_none(), "{member} in {profile}");
    }
    // Nor her whole name, which is for herself and for staff.
    server.by(&ann, "PATCH", "/me").json(json!({ "name": "Annabel Lee" })).expect(200).await;
    let (staff, read, play) = (
        server.person(&["reviewer"]).await,
        server.new_key(&["read"]).await.secret,
        server.new_key(&["play"]).await.secret,
    );
    let call = || server.api("GET", &format!("/users/{}", ann.id));
    for (call, name) in [
        (call(), "A***"),
        (call().cookie(&eve.cookie), "A***"),
        (call().key(&play), "A***"),
        (call().cookie(&ann.cookie), "Annabel Lee"),
        (call().cookie(&staff.cookie), "Annabel Lee"),
        (call().key(&read), "Annabel Lee"),
    ] {
        assert_eq!(call.expect(200).await.member("name"), name);
    }
}

#[tokio::test]
async fn hole_63_the_user_is_never_taken_from_the_request() {
    let (_, server) = shared().await;
    let (ann, eve) = (server.person(&[]).await, server.person(&[]).await);
    let mut named = address("eve's");
    for member in ["user", "user_id", "owner", "id"] {
        named[member] = json!(ann.id);
        let refused = server.by(&eve, "POST", "/me/addresses").json(named.clone());
        refused.refused(400, "invalid_field").await;
        named.as_object_mut().unwrap().remove(member);
    }
    for (member, value) in [("roles", json!(["admin"])), ("level", json!(9)), ("id", json!(ann.id))] {
        let refused = server.by(&eve, "PATCH", "/me").json(json!({ "name": "eve", member: value }));
        refused.refused(400, "invalid_field").await;
    }
    // The header is for keys; a session stays who it is.
    let asked = server.by(&eve, "GET", "/me").header("windfall-user", &ann.id);
    assert_eq!(asked.expect(200).await.member("id"), eve.id);
    server.by(&eve, "GET", "/me?user_id=1").refused(400, "invalid_field").await;
    assert_eq!(server.by(&ann, "GET", "/me/addresses").expect(200).await.items().len(), 0);
}

#[tokio::test]
async fn hole_63_requests_from_other_sites_are_not_carried_out() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let host = server.address.to_string();
    let (own, evil) = (format!("http://{host}"), "https://evil.example".to_owned());
    for (what, method, headers, status) in [
        (
            "another site's form",
            "PATCH",
            vec![("sec-fetch-site", "cross-site"), ("origin", evil.as_str())],
            403,
        ),
        ("a sibling host", "PATCH", vec![("sec-fetch-site", "same-site")], 403),
        ("an old browser on another site", "PATCH", vec![("origin", evil.as_str())], 403),
        ("a page without an origin", "PATCH", vec![("origin", "null")], 403),
        ("this site", "PATCH", vec![("sec-fetch-site", "same-origin"), ("origin", own.as_str())], 200),
        ("an old browser on this site", "PATCH", vec![("origin", own.as_str())], 200),
        ("a program", "PATCH", vec![], 200),
        ("a link on another site", "GET", vec![("sec-fetch-site", "cross-site")], 200),
    ] {
        let mut call = server.by(&person, method, "/me").header("host", &host);
        if method == "PATCH" {
            call = call.json(json!({ "name": what }));
        }
        for (name, value) in &headers {
            call = call.header(name, value);
        }
        let answer = call.send().await;
        assert_eq!(answer.status, status, "{what}: {}", answer.text());
        assert_eq!(answer.code(), if status == 403 { "cross_site" } else { "" }, "{what}");
        let name = server.by(&person, "GET", "/me").expect(200).await.member("name");
        assert_eq!(name == what, status == 200 && method == "PATCH", "{what} left the name {name}");
    }
    // Signing in from elsewhere would put somebody into an account that is not theirs.
    let body = json!({ "phone": person.phone, "password": person.password });
    let planted = server.api("POST", "/auth/sign-in/password").json(body).header("origin", &evil);
    planted.refused(403, "cross_site").await;
}

#[tokio::test]
async fn hole_63_the_session_cookie_is_out_of_reach_of_scripts_and_changes_at_sign_in() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let body = json!({ "phone": person.phone, "password": person.password });
    let again = server.by(&person, "POST", "/auth/sign-in/password").json(body).expect(200).await;
    let set = again.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(set.contains(part), "{part} in {set}");
    }
    assert_ne!(again.cookie(), person.cookie, "a new session has a new token");
    server.by(&person, "GET", "/me").refused(401, "unauthenticated").await;
    server.api("GET", "/me").cookie(&again.cookie()).expect(200).await;
}
