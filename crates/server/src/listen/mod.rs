//! Accepting connections: TCP, TLS, and the Unix socket of the command line; a limit on how many, a limit on how
//! long headers may take, and a stop that lets requests under way finish.

mod heads;
mod in_use;
mod places;
mod socket;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{HeaderValue, Request, StatusCode, Version, header};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio_rustls::TlsAcceptor;

use crate::context::Connection;
use crate::front::Front;
use crate::network::Network;
use crate::timed_body::TimedBody;
use heads::StrictHeads;
use in_use::InUse;
use places::{ConnectionPlace, Places};
use socket::{ClientSocket, Closing, Stop};

const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Requests at once on one HTTP/2 connection.
const STREAMS_MAX: u32 = 256;
/// An HTTP/2 peer that does not answer a ping for this long is gone.
const PING: Duration = Duration::from_secs(20);
/// A TCP peer that said nothing for so long is asked whether it is there,
const PEER_SILENT: Duration = Duration::from_secs(60);
/// again after so long,
const PEER_ASKED: Duration = Duration::from_secs(15);
/// and so often until it counts as gone.
const PEER_TRIES: u32 = 4;
/// At a stop, how long requests that were on their way are still answered.
const LAST_REQUESTS: Duration = Duration::from_millis(250);
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
    pub limits: ConnectionLimits,
}

/// What a connection may take.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    pub max_connections: usize,
    /// Of one client address (IPv6: one /64), unless it is a trusted proxy.
    pub connections_of_address_max: u32,
    pub trusted_proxies: Vec<Network>,
    pub header_timeout: Duration,
    pub header_limit_bytes: usize,
    /// How long a peer may take nothing of what is sent to it.
    pub write_timeout: Duration,
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
    pub async fn bind(
        address: SocketAddr,
        tls: Option<&TlsFiles>,
        limits: ConnectionLimits,
    ) -> Result<Self, ListenError> {
        let tls = tls.map(acceptor).transpose()?;
        let bound = |source| ListenError::Bind { address: address.to_string(), source };
        let tcp = TcpListener::bind(address).await.map_err(bound)?;
        keep_alive(&tcp).map_err(bound)?;
        Ok(Self { tcp, tls, limits })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }
}

/// The system asks peers that say nothing whether they are still there. What is accepted takes this over from the socket it
/// was accepted on.
fn keep_alive(tcp: &TcpListener) -> io::Result<()> {
    let asked = TcpKeepalive::new().with_time(PEER_SILENT).with_interval(PEER_ASKED).with_retries(PEER_TRIES);
    SockRef::from(tcp).set_tcp_keepalive(&asked)
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
    front: Front,
    stop: impl Future<Output = ()>,
) {
    let Listener { tcp, tls, limits } = listener;
    let server = Arc::new(Server::new(&limits, front));
    let places = Places::new(
        limits.max_connections,
        limits.connections_of_address_max,
        limits.trusted_proxies.clone(),
    );
    let graceful = GracefulShutdown::new();
    let begin = |(stream, peer): (TcpStream, SocketAddr), place| {
        let Some(place) = places.seat(place, peer.ip()) else { return };
        let (server, tls, watcher) = (Arc::clone(&server), tls.clone(), graceful.watcher());
        tokio::spawn(async move { server.network(stream, peer, place, tls, watcher).await });
    };
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = accept(&tcp, &places) => match accepted {
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                Ok((accepted, place)) => begin(accepted, place),
            },
            // Beside the limit on connections: the machine's own administrator is never shut out by a crowd.
            accepted = accept_console(console.as_ref()) => {
                if let Ok(stream) = accepted {
                    let (server, watcher) = (Arc::clone(&server), graceful.watcher());
                    tokio::spawn(async move { server.console(stream, watcher).await });
                }
            }
        }
    }
    server.stop.begin();
    for accepted in connected(tcp) {
        let Some(place) = places.try_free() else { break };
        begin(accepted, place);
    }
    drain(graceful, &server.stop, &places, limits.drain_timeout).await;
}

/// Past the limit nobody is accepted; the system's own backlog holds them for a moment.
async fn accept(
    tcp: &TcpListener,
    places: &Places,
) -> io::Result<((TcpStream, SocketAddr), OwnedSemaphorePermit)> {
    let place = places.free().await.ok_or_else(|| io::Error::other("no place"))?;
    Ok((tcp.accept().await?, place))
}

/// Those who are connected and not accepted yet may have written a request: they are served before the socket closes.
fn connected(tcp: TcpListener) -> impl Iterator<Item = (TcpStream, SocketAddr)> {
    let tcp = tcp.into_std().ok();
    std::iter::from_fn(move || {
        let (stream, peer) = tcp.as_ref()?.accept().ok()?;
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    })
}

async fn accept_console(console: Option<&UnixListener>) -> io::Result<UnixStream> {
    match console {
        Some(listener) => listener.accept().await.map(|(stream, _)| stream),
        None => std::future::pending().await,
    }
}

/// Every answer now says that it is the last one of its connection. Those who asked before they heard that are answered for
/// a moment; then connections that ask for nothing are closed.
async fn drain(graceful: GracefulShutdown, stop: &Stop, places: &Places, limit: Duration) {
    let open = graceful.count();
    if open == 0 {
        return;
    }
    tracing::info!(open, "finishing the requests under way");
    let finish = async {
        tokio::time::sleep(LAST_REQUESTS.min(limit / 4)).await;
        stop.close_unused();
        graceful.shutdown().await;
        places.all_free().await;
    };
    if tokio::time::timeout(limit, finish).await.is_err() {
        tracing::warn!("the drain time is over; the remaining connections are cut");
    }
}

/// HTTP/1.1 everywhere, HTTP/2 where TLS has agreed on it. The version is never guessed from the first bytes: a peer that
/// says nothing would be waited for without end.
struct Server {
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
    front: Front,
    write_timeout: Duration,
    /// How long an HTTP/2 connection may be open without a request; on HTTP/1.1 the next head has the same time.
    unused_timeout: Duration,
    stop: Arc<Stop>,
}

impl Server {
    fn new(limits: &ConnectionLimits, front: Front) -> Self {
        // The application refuses heads over the limit by name; only one far over it is cut off here, without a word.
        let head_max = limits.header_limit_bytes.max(8 * 1024) * 2;
        let mut http1 = http1::Builder::new();
        http1.timer(TokioTimer::new()).header_read_timeout(limits.header_timeout).max_buf_size(head_max);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .max_header_list_size(u32::try_from(head_max).unwrap_or(u32::MAX))
            .max_concurrent_streams(STREAMS_MAX)
            .keep_alive_interval(PING)
            .keep_alive_timeout(PING);
        let (write_timeout, unused_timeout) = (limits.write_timeout, limits.header_timeout);
        Self { http1, http2, front, write_timeout, unused_timeout, stop: Arc::default() }
    }

    async fn network(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        place: ConnectionPlace,
        tls: Option<TlsAcceptor>,
        watcher: Watcher,
    ) {
        // Answers are small and should leave at once.
        let _ = stream.set_nodelay(true);
        let connection = Connection::Network { peer: peer.ip(), tls: tls.is_some() };
        let closing = Closing::new(&self.stop);
        let stream = ClientSocket::new(stream, place, closing.clone(), self.write_timeout);
        let Some(tls) = tls else {
            let stream = StrictHeads::new(stream, closing.clone());
            return self.http1(stream, connection, closing, watcher).await;
        };
        // A failed handshake is the other side's affair.
        let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIMEOUT, tls.accept(stream)).await else {
            return;
        };
        if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
            self.http2(stream, connection, closing, watcher).await;
        } else {
            self.http1(StrictHeads::new(stream, closing.clone()), connection, closing, watcher).await;
        }
    }

    async fn console(&self, stream: UnixStream, watcher: Watcher) {
        self.http1(stream, Connection::Console, Closing::new(&self.stop), watcher).await;
    }

    async fn http1<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        connection: Connection,
        closing: Closing,
        watcher: Watcher,
    ) {
        let service = service(self.front.clone(), connection, closing, None);
        ended(watcher.watch(self.http1.serve_connection(TokioIo::new(stream), service)).await);
    }

    /// Told to go, by its limit or by the stop of the server, a connection finishes what is under way.
    async fn http2<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        connection: Connection,
        closing: Closing,
        // Held to the end: the drain waits for it.
        _watcher: Watcher,
    ) {
        let in_use = InUse::new();
        let service = service(self.front.clone(), connection, closing, Some(in_use.clone()));
        let go = GracefulShutdown::new();
        let served = go.watch(self.http2.serve_connection(TokioIo::new(stream), service));
        tokio::pin!(served);
        tokio::select! {
            result = &mut served => return ended(result),
            () = in_use.unused_for(self.unused_timeout) => {}
            () = self.stop.unused_are_closed() => {}
        }
        tokio::select! {
            result = &mut served => ended(result),
            () = go.shutdown() => {}
        }
    }
}

/// The application, told how each request arrived.
fn service(
    front: Front,
    connection: Connection,
    closing: Closing,
    in_use: Option<InUse>,
) -> impl hyper::service::Service<
    Request<Incoming>,
    Response = axum::response::Response,
    Error = Infallible,
    Future = impl Future<Output = Result<axum::response::Response, Infallible>> + Send + 'static,
> {
    service_fn(move |request: Request<Incoming>| {
        let (front, closing) = (front.clone(), closing.clone());
        let under_way = in_use.as_ref().map(InUse::begin);
        async move {
            let started = Instant::now();
            let deadline = started + front.request_timeout();
            let one_by_one = request.version() < Version::HTTP_2;
            let request = request.map(|body| {
                if body.is_end_stream() { Body::empty() } else { Body::new(TimedBody::new(body, deadline)) }
            });
            let mut response = front.answer(connection, started, request).await;
            if one_by_one && (closing.of_all() || leaves_rest(response.status())) {
                closing.begin();
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(match under_way {
                Some(request) => response.map(|body| request.until_sent(body)),
                None => response,
            })
        }
    })
}

/// Whether the rest of a request may still be on its way after this answer; nobody waits for it.
fn leaves_rest(status: StatusCode) -> bool {
    matches!(status, StatusCode::GATEWAY_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE)
}

/// A peer that goes away is not a fault of ours.
fn ended(result: Result<(), hyper::Error>) {
    if let Err(error) = result {
        tracing::debug!(%error, "a connection ended early");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_accepted_is_asked_whether_it_is_still_there() {
        let tcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
        keep_alive(&tcp).unwrap();
        let _peer = TcpStream::connect(tcp.local_addr().unwrap()).await.unwrap();
        let (accepted, _) = tcp.accept().await.unwrap();
        let socket = SockRef::from(&accepted);
        assert!(socket.keepalive().unwrap());
        assert_eq!(socket.tcp_keepalive_time().unwrap(), PEER_SILENT);
        assert_eq!(socket.tcp_keepalive_interval().unwrap(), PEER_ASKED);
        assert_eq!(socket.tcp_keepalive_retries().unwrap(), PEER_TRIES);
    }
}
