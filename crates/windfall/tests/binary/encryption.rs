//! A new encryption key: everything is sealed anew, and everybody is still who they were.

use serde_json::json;

use crate::people::address;
use crate::process::Home;

/// The first byte of a sealed value names its key.
fn keys_in_use(home: &Home) -> Vec<i64> {
    let database = home.database();
    let sql = "SELECT phone_sealed FROM users WHERE phone_sealed IS NOT NULL
               UNION ALL SELECT sealed FROM addresses";
    let mut all = database.prepare(sql).unwrap();
    let keys = all.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
    let mut keys: Vec<i64> = keys.map(|sealed| i64::from(sealed.unwrap()[0])).collect();
    keys.dedup();
    keys
}

#[tokio::test]
async fn after_a_rotation_everybody_signs_in_and_sees_their_own() {
    let home = Home::new();
    let server = home.demo().await;
    let person = server.person(&[]).await;
    server.by(&person, "POST", "/me/addresses").json(address("世纪大道")).expect(201).await;
    let give = json!({ "name": "shop", "scopes": ["read"] });
    let made = server.console("POST", "/admin/keys").header("idempotency-key", "once").json(give.clone());
    let secret = made.expect(201).await.member("secret");
    let me = server.by(&person, "GET", "/me").expect(200).await.json();
    server.stop().await;
    assert_eq!(keys_in_use(&home), [1]);

    let told = home.run(&["admin", "rotate-encryption-key"]).ok();
    assert!(told.contains("keep a copy"), "{told}");
    assert_eq!(keys_in_use(&home), [2], "{told}");
    let file = std::fs::read_to_string(home.data().join("windfall.key")).unwrap();
    let seals = file.lines().filter(|line| line.starts_with("seal ")).count();
    assert_eq!(seals, 2, "the old key stays, for what is still sealed under it");

    let server = home.demo().await;
    assert_eq!(server.by(&person, "GET", "/me").expect(200).await.json(), me, "the session and the phone");
    let book = server.by(&person, "GET", "/me/addresses").expect(200).await.items();
    assert_eq!(book[0]["street"], "世纪大道");
    server.sign_in(&person.phone, &person.password).await;
    let cookie = server.sign_in_by_code(&person.phone).await;
    assert_eq!(server.api("GET", "/me").cookie(&cookie).expect(200).await.member("id"), person.id);
    // An answer kept for idempotency was sealed under the old key.
    let again = server.console("POST", "/admin/keys").header("idempotency-key", "once").json(give);
    assert_eq!(again.expect(201).await.member("secret"), secret);
}
