//! Redeem codes: imported once, given once, seen by whoever may.

mod command_line;
mod giving;
mod over_http;
mod stock;

use serde_json::json;

use crate::client::Answer;
use crate::people::fresh_external;
use crate::process::Server;

/// A pool of codes without any; answers its id.
pub async fn pool(server: &Server) -> String {
    let body = json!({ "name": fresh_external() });
    server.console("POST", "/code-pools").json(body).expect(201).await.member("id")
}

/// Imports a plain list.
pub async fn import(server: &Server, pool: &str, text: &str) -> Answer {
    let call = server.console("POST", &format!("/code-pools/{pool}/codes"));
    call.header("content-type", "text/plain").body(text.to_owned()).expect(200).await
}

/// A code that was given; answers the id of the fulfilment.
pub async fn given(server: &Server, code: &str) -> String {
    let pool = pool(server).await;
    import(server, &pool, code).await;
    let database = rusqlite::Connection::open(server.data.join("windfall.db")).unwrap();
    database.busy_timeout(crate::process::LIMIT).unwrap();
    // What its handler does when the code is won.
    let sql = "INSERT INTO given_codes (fulfilment_id, pool_id, number, given_ms) VALUES (?1, ?1, 0, 0)";
    database.execute(sql, [&pool]).unwrap();
    database.execute("UPDATE code_pools SET given = 1 WHERE id = ?1", [&pool]).unwrap();
    pool
}
