//! `/healthz`: the process is alive. `/readyz`: it should be sent requests, or why not.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::app::{App, Health};

#[derive(Serialize)]
struct AliveBody {
    name: &'static str,
    version: &'static str,
}

pub async fn alive() -> Response {
    Json(AliveBody { name: "windfall", version: env!("CARGO_PKG_VERSION") }).into_response()
}

#[derive(Serialize)]
struct ReadyBody {
    ready: bool,
    /// `ok`, or what is wrong.
    parts: BTreeMap<&'static str, String>,
    /// What happened that somebody should know of, though everything is served.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<&'static str, String>,
}

pub async fn ready(State(app): State<App>) -> Response {
    readiness(&*app.health).await
}

/// What a node says of itself, also one that does not serve by itself.
pub(crate) async fn readiness(health: &dyn Health) -> Response {
    let parts = health.parts().await;
    let ready = parts.iter().all(|(_, state)| state.is_ok());
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let word = |state: Result<(), String>| state.err().unwrap_or_else(|| "ok".to_owned());
    let parts = parts.into_iter().map(|(name, state)| (name, word(state))).collect();
    let notes = health.notes().into_iter().collect();
    (status, Json(ReadyBody { ready, parts, notes })).into_response()
}
