//! After a restore: nothing that might go out twice leaves before somebody has looked.

use std::path::PathBuf;

use serde_json::json;

use crate::codes;
use crate::process::Home;
use crate::webhooks::receiver::{Does, Receiver};
use crate::webhooks::{attempts, ping, subscribe};

#[tokio::test]
async fn messages_and_codes_of_a_restored_installation_wait_for_a_look() {
    let home = Home::new();
    let server = home.start("serve").await;
    let receiver = Receiver::doing(&[Does::Status(500)], Does::Take).await;
    let (hook, _) = subscribe(&server, &receiver.url(), &["webhook.test"]).await;
    let unsent = ping(&server, &hook).await;
    attempts(&server, &hook, &unsent, "again").await;
    let pool = codes::pool(&server).await;
    codes::import(&server, &pool, "TEA-1\nTEA-2\nTEA-3\n").await;
    let into = home.path().join("backups");
    let ran = home.run(&["backup", "--with-key", "--into", into.to_str().unwrap()]);
    let backup = PathBuf::from(ran.ok());
    assert!(server.stop().await.success());

    let restored = Home::new();
    let told = restored
        .run(&["restore", backup.to_str().unwrap(), "--into", restored.data().to_str().unwrap()])
        .ok();
    assert!(told.contains("1 pools of redeem codes"), "{told}");
    let server = restored.start("serve").await;
    server.logged("in quarantine").await;
    // A new message goes out: the lane works, and the old one is not in it.
    let before = receiver.seen().iter().filter(|seen| seen.delivery() == unsent).count();
    let fresh = ping(&server, &hook).await;
    attempts(&server, &hook, &fresh, "done").await;
    let after = receiver.seen().iter().filter(|seen| seen.delivery() == unsent).count();
    assert_eq!(after, before, "what was unsent waits");
    let waits = server.console("GET", "/admin/quarantine").expect(200).await.json();
    let lane = format!("hook:{hook}");
    assert_eq!((&waits["lanes"][0]["lane"], &waits["lanes"][0]["messages"]), (&json!(lane), &json!(1)));
    assert_eq!(waits["code_pools"][0]["id"], json!(pool));

    // The command line releases: the message arrives under its own id, and the pool goes on behind what was skipped.
    let released = restored.run(&["quarantine", "release", "--lane", &lane, "--reason", "never sent"]).ok();
    assert_eq!(released, "release: 1 messages");
    attempts(&server, &hook, &unsent, "done").await;
    let ran =
        restored.run(&["quarantine", "release-codes", &pool, "--skip", "2", "--reason", "two given since"]);
    assert!(ran.ok().ends_with("1 are left"), "{}", ran.out());
    let row = server.console("GET", &format!("/code-pools/{pool}")).expect(200).await.json();
    assert_eq!((&row["given"], &row["quarantined_since_ms"]), (&json!(2), &json!(null)));
    assert_eq!(restored.run(&["quarantine", "list"]).ok(), "nothing is in quarantine");
    let audit = server.console("GET", "/admin/audit?limit=50").expect(200).await.text();
    for action in ["quarantine.begin", "quarantine.release", "quarantine.code_pool"] {
        assert!(audit.contains(action), "{action}");
    }
}
