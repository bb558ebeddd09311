//! Free ports. A port is only free until someone takes it, so whoever starts a server retries: see
//! [`crate::postgres`] and [`crate::redis`].

use std::io;
use std::net::{Ipv4Addr, TcpListener};

/// A port of 127.0.0.1 that nothing listened on a moment ago.
pub(crate) fn free() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
