//! Whose request this is, behind proxies that were named on purpose.
//!
//! `X-Forwarded-For` is believed only from a trusted peer, and read from the right: each trusted proxy vouches
//! for the hop before it, and the first address nobody vouches for is the client.

use std::net::IpAddr;

use crate::network::Network;

/// The client's address: `peer` unless it is a trusted proxy that says otherwise.
pub fn client_address<'a>(
    peer: IpAddr,
    forwarded: impl Iterator<Item = &'a str>,
    trusted: &[Network],
) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|block| block.contains(address));
    let mut client = peer;
    if !is_trusted(peer) {
        return client;
    }
    let hops: Vec<&str> = forwarded.flat_map(|header| header.split(',')).map(str::trim).collect();
    for hop in hops.into_iter().rev() {
        let Some(address) = parse_hop(hop) else { break };
        client = address;
        if !is_trusted(address) {
            break;
        }
    }
    client
}

/// `1.2.3.4`, `1.2.3.4:5678`, `::1` or `[::1]:5678`.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    hop.parse().ok().or_else(|| hop.parse::<std::net::SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_proxies_are_believed() {
        let trusted: Vec<Network> = ["10.0.0.0/8", "::1"].iter().map(|text| text.parse().unwrap()).collect();
        for (peer, forwarded, expected) in [
            ("203.0.113.5", "1.1.1.1", "203.0.113.5"),
            ("10.0.0.1", "", "10.0.0.1"),
            ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
            // A client may write anything in front; only what trusted hops appended counts.
            ("10.0.0.1", "6.6.6.6, 198.51.100.7, 10.2.3.4", "198.51.100.7"),
            ("10.0.0.1", "nonsense, 10.2.3.4", "10.2.3.4"),
            ("10.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
            ("::1", "2001:db8::1", "2001:db8::1"),
            ("::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ] {
            let got = client_address(peer.parse().unwrap(), [forwarded].into_iter(), &trusted);
            assert_eq!(got.to_string(), expected, "{peer} {forwarded}");
        }
    }
}
