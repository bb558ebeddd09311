//! TLS for connections to PostgreSQL: the server's certificate is checked against a file of the operator's.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client;

/// Why TLS cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum TlsError {
    #[error("the certificates in {file}: {problem}")]
    File { file: String, problem: String },
    #[error("a name that no certificate can have: {0}")]
    Name(String),
}

/// Makes a connector for each server.
#[derive(Clone)]
pub(super) struct PostgresTls(Arc<ClientConfig>);

impl PostgresTls {
    pub fn from_file(file: &Path) -> Result<Self, TlsError> {
        let wrong = |problem: String| TlsError::File { file: file.display().to_string(), problem };
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_file_iter(file).map_err(|error| wrong(error.to_string()))? {
            let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
            roots.add(certificate).map_err(|error| wrong(error.to_string()))?;
        }
        if roots.is_empty() {
            return Err(wrong("there are none".to_owned()));
        }
        let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }
}

impl<S> MakeTlsConnect<S> for PostgresTls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = EncryptedStream<S>;
    type TlsConnect = ServerTls;
    type Error = TlsError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<ServerTls, TlsError> {
        let name = ServerName::try_from(domain.to_owned()).map_err(|_| TlsError::Name(domain.to_owned()))?;
        Ok(ServerTls { connector: TlsConnector::from(Arc::clone(&self.0)), name })
    }
}

pub(super) struct ServerTls {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl<S> TlsConnect<S> for ServerTls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = EncryptedStream<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<EncryptedStream<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { Ok(EncryptedStream(self.connector.connect(self.name, stream).await?)) })
    }
}

/// A connection inside TLS. It offers no channel binding: the server's certificate was checked by name.
pub(super) struct EncryptedStream<S>(client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for EncryptedStream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for EncryptedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for EncryptedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
