//! Accepting connections: TCP, TLS, and the Unix socket of the command line; a limit on how many, a limit on how
//! long headers may take, and a stop that lets requests under way finish.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_rustls::TlsAcceptor;

use crate::context::Connection;
use crate::edge::Site;

const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Requests at once on one HTTP/2 connection.
const STREAMS_MAX: u32 = 256;
/// An HTTP/2 peer that does not answer a ping for this long is gone.
const PING: Duration = Duration::from_secs(20);
/// After a failed accept (out of file handles, say) the loop breathes before it tries again.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

#[derive(Clone, Debug)]
pub struct TlsFiles {
    pub cert: PathBuf,
    pub key: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error("cannot listen on {address}")]
    Bind {
        address: String,
        #[source]
        source: io::Error,
    },
    #[error("the TLS file {} cannot be used: {problem}", path.display())]
    Tls { path: PathBuf, problem: String },
}

/// A bound address, ready to be served.
pub struct Listener {
    tcp: TcpListener,
    tls: Option<TlsAcceptor>,
    pub max_connections: usize,
    pub header_timeout: Duration,
    pub header_limit_bytes: usize,
    pub drain_timeout: Duration,
}

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listener")
            .field("tcp", &self.tcp)
            .field("tls", &self.tls.is_some())
            .finish_non_exhaustive()
    }
}

impl Listener {
    pub async fn bind(address: SocketAddr, tls: Option<&TlsFiles>) -> Result<Self, ListenError> {
        let tls = tls.map(acceptor).transpose()?;
        let tcp = TcpListener::bind(address)
            .await
            .map_err(|source| ListenError::Bind { address: address.to_string(), source })?;
        Ok(Self {
            tcp,
            tls,
            max_connections: 20_000,
            header_timeout: Duration::from_secs(10),
            header_limit_bytes: 16 * 1024,
            drain_timeout: Duration::from_secs(15),
        })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }
}

fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, ListenError> {
    let wrong = |path: &Path, problem: String| ListenError::Tls { path: path.to_owned(), problem };
    let certs = CertificateDer::pem_file_iter(&files.cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| wrong(&files.cert, error.to_string()))?;
    let key =
        PrivateKeyDer::from_pem_file(&files.key).map_err(|error| wrong(&files.key, error.to_string()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certs, key))
        .map_err(|error| wrong(&files.cert, error.to_string()))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Serves until `stop` resolves, then lets what is under way finish within the drain time.
pub async fn serve(
    listener: Listener,
    console: Option<UnixListener>,
    site: Site,
    stop: impl Future<Output = ()>,
) {
    let server = Arc::new(Server::new(&listener, site));
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(listener.max_connections));
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = accept(&listener.tcp, &places) => match accepted {
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                Ok((stream, peer, place)) => {
                    let (server, tls, watcher) = (Arc::clone(&server), listener.tls.clone(), graceful.watcher());
                    tokio::spawn(async move {
                        server.network(stream, peer, tls, watcher).await;
                        drop(place);
                    });
                }
            },
            // Beside the limit on connections: the machine's own administrator is never shut out by a crowd.
            accepted = accept_console(console.as_ref()) => {
                if let Ok(stream) = accepted {
                    let (server, watcher) = (Arc::clone(&server), graceful.watcher());
                    tokio::spawn(async move { server.http1(stream, Connection::Console, watcher).await });
                }
            }
        }
    }
    drop(listener.tcp);
    drain(graceful, listener.drain_timeout).await;
}

/// Past the limit nobody is accepted; the system's own backlog holds them for a moment.
async fn accept(
    tcp: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = tcp.accept().await?;
    // Answers are small and should leave at once.
    let _ = stream.set_nodelay(true);
    Ok((stream, peer, place))
}

async fn accept_console(console: Option<&UnixListener>) -> io::Result<UnixStream> {
    match console {
        Some(listener) => listener.accept().await.map(|(stream, _)| stream),
        None => std::future::pending().await,
    }
}

async fn drain(graceful: GracefulShutdown, limit: Duration) {
    let open = graceful.count();
    if open > 0 {
        tracing::info!(open, "finishing the requests under way");
    }
    if tokio::time::timeout(limit, graceful.shutdown()).await.is_err() {
        tracing::warn!("the drain time is over; the remaining connections are cut");
    }
}

/// HTTP/1.1 everywhere, HTTP/2 where TLS has agreed on it. The version is never guessed from the first bytes: a peer that
/// says nothing would be waited for without end.
struct Server {
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
    site: Site,
}

impl Server {
    fn new(listener: &Listener, site: Site) -> Self {
        // The application refuses heads over the limit by name; only one far over it is cut off here, without a word.
        let head_max = listener.header_limit_bytes.max(8 * 1024) * 2;
        let mut http1 = http1::Builder::new();
        http1.timer(TokioTimer::new()).header_read_timeout(listener.header_timeout).max_buf_size(head_max);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .max_header_list_size(u32::try_from(head_max).unwrap_or(u32::MAX))
            .max_concurrent_streams(STREAMS_MAX)
            .keep_alive_interval(PING)
            .keep_alive_timeout(PING);
        Self { http1, http2, site }
    }

    async fn network(&self, stream: TcpStream, peer: SocketAddr, tls: Option<TlsAcceptor>, watcher: Watcher) {
        let connection = Connection::Network { peer: peer.ip(), tls: tls.is_some() };
        let Some(tls) = tls else { return self.http1(stream, connection, watcher).await };
        // A failed handshake is the other side's affair.
        let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIMEOUT, tls.accept(stream)).await else {
            return;
        };
        if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
            let serving =
                self.http2.serve_connection(TokioIo::new(stream), service(self.site.clone(), connection));
            ended(watcher.watch(serving).await);
        } else {
            self.http1(stream, connection, watcher).await;
        }
    }

    async fn http1<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        connection: Connection,
        watcher: Watcher,
    ) {
        let serving =
            self.http1.serve_connection(TokioIo::new(stream), service(self.site.clone(), connection));
        ended(watcher.watch(serving).await);
    }
}

/// The application, told how each request arrived.
fn service(
    site: Site,
    connection: Connection,
) -> impl hyper::service::Service<
    Request<Incoming>,
    Response = axum::response::Response,
    Error = Infallible,
    Future = impl Future<Output = Result<axum::response::Response, Infallible>> + Send + 'static,
> {
    service_fn(move |request: Request<Incoming>| {
        let site = site.clone();
        async move { Ok(site.answer(connection, request.map(Body::new)).await) }
    })
}

/// A peer that goes away is not a fault of ours.
fn ended(result: Result<(), hyper::Error>) {
    if let Err(error) = result {
        tracing::debug!(%error, "a connection ended early");
    }
}
