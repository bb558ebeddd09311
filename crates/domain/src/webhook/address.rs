//! Addresses that are not out on the internet.
//!
//! Whoever may subscribe could otherwise make this server talk to what only it can reach: the machine itself, the
//! network behind it, the metadata service of a cloud. Everything that is not plainly a public address counts as private.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether nothing may be delivered there.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> bool {
    match address.octets() {
        // This network; a private one; this machine; a cloud's metadata; multicast, reserved and broadcast.
        [0 | 10 | 127 | 224..=255, ..] | [169, 254, ..] | [192, 168, ..] => true,
        // Behind a carrier's translation; a private network.
        [100, 64..=127, ..] | [172, 16..=31, ..] => true,
        // Protocols, documentation, measurements, the old relays to IPv6.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => {
            true
        }
        _ => false,
    }
}

fn v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    match segments {
        // Addresses of the other kind in this dress: mapped, compatible (unspecified and loopback among them), translated.
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            let is_loopback_or_none = segments[5] == 0 && segments[6] == 0 && segments[7] <= 1;
            is_loopback_or_none || v4(low_four(segments))
        }
        // Translated locally; discarded.
        [0x64, 0xff9b, 1, ..] | [0x100, 0, 0, 0, ..] => true,
        // 6to4 has the other address inside.
        [0x2002, high, low, ..] => v4(pair(high, low)),
        // Teredo, documentation, and other assignments to protocols.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => true,
        // Public addresses are within 2000::/3: unique local, link local, site local and multicast are not.
        [first, ..] => first & 0xe000 != 0x2000,
    }
}

fn low_four(segments: [u16; 8]) -> Ipv4Addr {
    pair(segments[6], segments[7])
}

fn pair(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn what_is_private() {
        for (private, addresses) in [
            (
                true,
                &[
                    "0.0.0.0",
                    "0.255.255.255",
                    "10.0.0.1",
                    "10.255.255.255",
                    "100.64.0.1",
                    "100.127.255.255",
                    "127.0.0.1",
                    "127.255.255.254",
                    "169.254.169.254",
                    "172.16.0.1",
                    "172.31.255.255",
                    "192.0.0.1",
                    "192.0.2.1",
                    "192.88.99.1",
                    "192.168.0.1",
                    "198.18.0.1",
                    "198.19.255.255",
                    "198.51.100.1",
                    "203.0.113.1",
                    "224.0.0.1",
                    "239.255.255.255",
                    "240.0.0.1",
                    "255.255.255.255",
                    "::",
                    "::1",
                    "::127.0.0.1",
                    "::ffff:127.0.0.1",
                    "::ffff:10.0.0.1",
                    "::ffff:169.254.169.254",
                    "64:ff9b::10.0.0.1",
                    "64:ff9b:1::8.8.8.8",
                    "100::1",
                    "2001::1",
                    "2001:db8::1",
                    "2002:7f00:1::1",
                    "2002:a00:1::1",
                    "3fff::1",
                    "fc00::1",
                    "fdff::1",
                    "fe80::1",
                    "febf::1",
                    "fec0::1",
                    "ff02::1",
                    "4000::1",
                ][..],
            ),
            (
                false,
                &[
                    "1.1.1.1",
                    "8.8.8.8",
                    "9.255.255.255",
                    "11.0.0.0",
                    "100.63.255.255",
                    "100.128.0.0",
                    "126.255.255.255",
                    "128.0.0.1",
                    "169.253.255.255",
                    "172.15.255.255",
                    "172.32.0.0",
                    "192.0.1.1",
                    "192.167.255.255",
                    "192.169.0.0",
                    "198.17.255.255",
                    "198.20.0.0",
                    "223.255.255.255",
                    "::ffff:8.8.8.8",
                    "64:ff9b::8.8.8.8",
                    "2001:4860:4860::8888",
                    "2002:808:808::1",
                    "2606:4700::1111",
                    "2a00::1",
                ],
            ),
        ] {
            for address in addresses {
                assert_eq!(is_private(address.parse().unwrap()), private, "{address}");
            }
        }
    }
}
