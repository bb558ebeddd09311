//! How the command line reaches a Windfall: over the running server's socket, or, when none runs, on the data
//! folder itself through the very same routes.

use anyhow::{Context as _, bail};
use axum::body::Body;
use embedded::DataFolder;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::Value;
use std::sync::Arc;
use tokio::net::UnixStream;
use tower::ServiceExt;

use crate::config::Config;
use crate::node::{Metrics, Node};

/// Answers are small; a page of users is the largest.
const ANSWER_MAX: usize = 8 * 1024 * 1024;

pub enum Console {
    Running(UnixStream),
    Alone { app: axum::Router, node: Box<Node> },
}

impl Console {
    /// The server that runs on this data folder, if one does.
    pub async fn running(config: &Config) -> Option<Self> {
        UnixStream::connect(DataFolder::socket(&config.data.dir)).await.ok().map(Self::Running)
    }

    pub async fn open(config: &Config) -> anyhow::Result<Self> {
        if let Some(running) = Self::running(config).await {
            return Ok(running);
        }
        let node = Node::open(config, "")
            .await
            .context("no server answers, and the data folder cannot be opened")?;
        let readiness = Arc::new(node.readiness());
        let metrics = Metrics(PrometheusBuilder::new().build_recorder().handle());
        let app = server::app(node.app(config, readiness, metrics)?);
        Ok(Self::Alone { app, node: Box::new(node) })
    }

    /// One call of the API; a "no" becomes an error with its text and code.
    pub async fn call(self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let mut request =
            Request::builder().method(method).uri(format!("/api/v1{path}")).header("host", "windfall");
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let bytes = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
        let (status, answer) = match self {
            Self::Running(stream) => over_socket(stream, request.body(Full::new(bytes))?).await?,
            Self::Alone { app, node } => {
                let request = request.extension(server::Connection::Console).body(Body::from(bytes))?;
                let response = app.oneshot(request).await?;
                let status = response.status();
                let answer = axum::body::to_bytes(response.into_body(), ANSWER_MAX).await?;
                node.close().await;
                (status, answer)
            }
        };
        let answer = if answer.is_empty() { Value::Null } else { serde_json::from_slice(&answer)? };
        if status.is_success() {
            return Ok(answer);
        }
        let text = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
        bail!("{} ({})", text("title"), text("code"))
    }
}

async fn over_socket(
    stream: UnixStream,
    request: Request<Full<Bytes>>,
) -> anyhow::Result<(StatusCode, Bytes)> {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await.context("the running server did not answer")?;
    let status = response.status();
    let answer = http_body_util::Limited::new(response.into_body(), ANSWER_MAX).collect().await;
    let answer = answer.map_err(|error| anyhow::anyhow!(error))?.to_bytes();
    Ok((status, answer))
}
