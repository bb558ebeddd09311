//! A network of IP addresses, written `10.0.0.0/8` or as a single address.
//!
//! Bits beyond the prefix are refused rather than cut off: `10.1.2.3/8` is more often a slip that would
//! trust sixteen million addresses than a wish to.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    pub address: IpAddr,
    /// How many leading bits of `address` count: at most 32, or 128 for IPv6.
    pub prefix: u8,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| format!("`{address}` is not an IP address"))?;
        let width: u8 = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => width,
            Some(prefix) => match prefix.parse() {
                Ok(bits) if bits <= width => bits,
                _ => return Err(format!("`/{prefix}` is not a prefix from /0 to /{width}")),
            },
        };
        let first = first_address(address, prefix);
        if first != address {
            return Err(format!("`{text}` has bits beyond its prefix; write {first}/{prefix}"));
        }
        Ok(Self { address, prefix })
    }
}

impl Network {
    pub fn contains(self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.address.is_ipv4() && first_address(address, self.prefix) == self.address
    }
}

fn first_address(address: IpAddr, prefix: u8) -> IpAddr {
    match address {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
            IpAddr::V4((v4.to_bits() & mask).into())
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0);
            IpAddr::V6((v6.to_bits() & mask).into())
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_by_rows() {
        let rows = [
            ("10.0.0.0/8", Ok("10.0.0.0/8")),
            ("127.0.0.1", Ok("127.0.0.1/32")),
            ("0.0.0.0/0", Ok("0.0.0.0/0")),
            ("::1", Ok("::1/128")),
            ("::/0", Ok("::/0")),
            ("2001:db8::/32", Ok("2001:db8::/32")),
            ("10.1.2.3/8", Err("`10.1.2.3/8` has bits beyond its prefix; write 10.0.0.0/8")),
            ("10.0.0.0/33", Err("`/33` is not a prefix from /0 to /32")),
            ("::/129", Err("`/129` is not a prefix from /0 to /128")),
            ("10.0.0.0/", Err("`/` is not a prefix from /0 to /32")),
            ("proxy.local", Err("`proxy.local` is not an IP address")),
            ("", Err("`` is not an IP address")),
        ];
        for (text, expected) in rows {
            let found = text.parse::<Network>().map(|network| network.to_string());
            assert_eq!(found, expected.map(String::from).map_err(String::from), "{text}");
        }
    }

    #[test]
    fn members() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("0.0.0.0/0", "9.9.9.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:1::1", true),
            ("::1", "::1", true),
        ] {
            let network: Network = network.parse().unwrap();
            assert_eq!(network.contains(address.parse().unwrap()), inside, "{network} {address}");
        }
    }
}
