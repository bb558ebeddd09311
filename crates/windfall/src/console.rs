//! How the command line reaches a Windfall: over the running server's socket, or, when none runs, on the data
//! folder itself through the very same routes; or over the network, with an API key.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use axum::body::Body;
use embedded::DataFolder;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::Value;
use tokio::net::UnixStream;
use tokio::sync::watch;

use crate::config::Config;
use crate::node::{Metrics, Node};

/// Answers are small; a whole batch of outcomes is the largest.
const ANSWER_MAX: usize = 8 * 1024 * 1024;
pub const JSON: &str = "application/json";
/// How long an answer over the network may take.
const REMOTE_TIMEOUT: Duration = Duration::from_secs(60);
/// How long an answer of any size may take.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(3_600);

/// How often a piece of an import is sent before giving up, and the pause in between.
const TRIES_MAX: u32 = 10;
const PAUSE: Duration = Duration::from_secs(1);

pub enum ConsoleClient {
    /// The running server's socket.
    Running(PathBuf),
    Alone {
        site: server::Site,
        node: Box<Node>,
    },
    /// A server somewhere, with an API key where one is needed.
    Remote {
        client: reqwest::Client,
        url: String,
        key: Option<String>,
    },
}

impl ConsoleClient {
    /// The server that runs on this data folder, if one does.
    pub async fn running(config: &Config) -> Option<Self> {
        let socket = DataFolder::socket(&config.data.dir);
        UnixStream::connect(&socket).await.is_ok().then_some(Self::Running(socket))
    }

    /// The same as [`ConsoleClient::open`] for what should be there already: a mistyped folder must not become an
    /// installation that is empty and in order.
    pub async fn open_existing(config: &Config) -> anyhow::Result<Self> {
        if Self::running(config).await.is_none() {
            Self::check_folder(config)?;
        }
        Self::open(config).await
    }

    pub fn check_folder(config: &Config) -> anyhow::Result<()> {
        anyhow::ensure!(
            config.data.dir.join(DataFolder::DATABASE).exists(),
            "no_data: no server answers, and {} holds no Windfall database; is --data (data.dir) right? \
             `windfall serve` makes one",
            config.data.dir.display()
        );
        Ok(())
    }

    pub async fn open(config: &Config) -> anyhow::Result<Self> {
        if let Some(running) = Self::running(config).await {
            return Ok(running);
        }
        let node = Node::open(config, "")
            .await
            .context("no server responds, and the data folder cannot be opened")?;
        let readiness = Arc::new(node.readiness());
        let metrics = Metrics(PrometheusBuilder::new().build_recorder().handle());
        let site = server::Site::new(node.app(config, readiness, metrics, watch::channel(false).1)?);
        Ok(Self::Alone { site, node: Box::new(node) })
    }

    pub fn remote(url: &str, key: Option<&str>) -> anyhow::Result<Self> {
        let client = server::http_client().timeout(REMOTE_TIMEOUT).build()?;
        let url = url.trim_end_matches('/').to_owned();
        Ok(Self::Remote { client, url, key: key.map(str::to_owned) })
    }

    /// One call of the API and no more; a "no" becomes an error with its text and code.
    pub async fn call(self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let answer = self.ask(method, path, body).await;
        self.close().await;
        answer
    }

    /// One of several calls; [`ConsoleClient::close`] comes after the last.
    pub async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let (status, answer) = self.exchange(method, path, body).await?;
        if status.is_success() { Ok(answer) } else { bail!(refusal(&answer)) }
    }

    /// The answer as it came.
    pub async fn exchange(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> anyhow::Result<(StatusCode, Value)> {
        self.exchange_bytes(method, path, body.map(|body| (JSON, Bytes::from(body.to_string())))).await
    }

    /// The same with a body of any media type.
    pub async fn exchange_bytes(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, Bytes)>,
    ) -> anyhow::Result<(StatusCode, Value)> {
        let (status, answer) = match self {
            Self::Running(socket) => over_socket(socket, request(method, path, body)?).await?,
            Self::Alone { site, .. } => {
                let request = request(method, path, body)?.map(Body::new);
                let response =
                    site.clone().answer(server::Connection::Console, Instant::now(), request).await;
                let status = response.status();
                (status, axum::body::to_bytes(response.into_body(), ANSWER_MAX).await?)
            }
            Self::Remote { client, url, key } => {
                let mut request = with_key(client.request(method, format!("{url}/api/v1{path}")), key);
                if let Some((media_type, bytes)) = body {
                    request = request.header("content-type", media_type).body(bytes);
                }
                let response = request.send().await.with_context(|| format!("{url} does not respond"))?;
                (response.status(), response.bytes().await?)
            }
        };
        let answer = if answer.is_empty() { Value::Null } else { serde_json::from_slice(&answer)? };
        Ok((status, answer))
    }

    /// For what may be sent again: an answer that is missing, or "too busy", is asked for once more, and told meanwhile.
    pub async fn exchange_again(
        &self,
        method: Method,
        path: &str,
        (media_type, body): (&str, Bytes),
    ) -> anyhow::Result<Value> {
        let mut tries = 1;
        loop {
            let sent = Some((media_type, body.clone()));
            let trouble = match self.exchange_bytes(method.clone(), path, sent).await {
                Ok((status, answer)) if status.is_success() => return Ok(answer),
                Ok((status, problem)) if !is_transient(status) => bail!(refusal(&problem)),
                Ok((_, problem)) => refusal(&problem),
                Err(error) => format!("{error:#}"),
            };
            if tries == TRIES_MAX {
                bail!("{trouble}; tried {TRIES_MAX} times. Import the same file again to continue");
            }
            eprintln!("{trouble}; trying again");
            tries += 1;
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// An answer of any size, written down as it comes.
    pub async fn download(&self, path: &str, to: &mut (impl std::io::Write + Send)) -> anyhow::Result<()> {
        let mut body = match self {
            Self::Running(socket) => answer_over_socket(socket, request(Method::GET, path, None)?).await?,
            Self::Alone { site, .. } => {
                let request = request(Method::GET, path, None)?.map(Body::new);
                site.clone().answer(server::Connection::Console, Instant::now(), request).await
            }
            Self::Remote { client, url, key } => {
                let request =
                    with_key(client.get(format!("{url}/api/v1{path}")), key).timeout(DOWNLOAD_TIMEOUT);
                let response = request.send().await.with_context(|| format!("{url} does not respond"))?;
                http::Response::from(response).map(Body::new)
            }
        };
        if !body.status().is_success() {
            let answer = axum::body::to_bytes(body.into_body(), ANSWER_MAX).await?;
            bail!(refusal(&serde_json::from_slice(&answer).unwrap_or(Value::Null)));
        }
        while let Some(frame) = body.body_mut().frame().await {
            if let Ok(data) = frame.context("the response was cut off")?.into_data() {
                to.write_all(&data)?;
            }
        }
        Ok(())
    }

    pub async fn close(&self) {
        match self {
            Self::Alone { node, .. } => node.close().await,
            Self::Running(_) | Self::Remote { .. } => {}
        }
    }
}

/// Whether trying again may help.
fn is_transient(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

fn with_key(request: reqwest::RequestBuilder, key: &Option<String>) -> reqwest::RequestBuilder {
    match key {
        Some(key) => request.bearer_auth(key),
        None => request,
    }
}

/// A "no" as one line, and one more for each of several things that are wrong.
pub fn refusal(problem: &Value) -> String {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
    let listed = problem.get("problems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let first = format!("{} ({})", text(problem, "title"), text(problem, "code"));
    listed.iter().fold(first, |lines, flaw| {
        let (field, code) = (text(flaw, "field"), text(flaw, "code"));
        format!("{lines}\n  {field}: {} ({code})", text(flaw, "text"))
    })
}

fn request(method: Method, path: &str, body: Option<(&str, Bytes)>) -> anyhow::Result<Request<Full<Bytes>>> {
    let mut request =
        Request::builder().method(method).uri(format!("/api/v1{path}")).header("host", "windfall");
    let (media_type, bytes) = body.unzip();
    if let Some(media_type) = media_type {
        request = request.header("content-type", media_type);
    }
    Ok(request.body(Full::new(bytes.unwrap_or_default()))?)
}

async fn answer_over_socket(
    socket: &PathBuf,
    request: Request<Full<Bytes>>,
) -> anyhow::Result<http::Response<Body>> {
    let stream = UnixStream::connect(socket).await.context("the running server has stopped")?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await.context("the running server did not respond")?;
    Ok(response.map(Body::new))
}

async fn over_socket(socket: &PathBuf, request: Request<Full<Bytes>>) -> anyhow::Result<(StatusCode, Bytes)> {
    let response = answer_over_socket(socket, request).await?;
    let status = response.status();
    let answer = http_body_util::Limited::new(response.into_body(), ANSWER_MAX).collect().await;
    let answer = answer.map_err(|error| anyhow::anyhow!(error))?.to_bytes();
    Ok((status, answer))
}
