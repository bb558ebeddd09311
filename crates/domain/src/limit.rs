//! How often someone may do something: the generic cell rate algorithm as a pure function.
//!
//! One integer per key (the *theoretical arrival time*) is all the state there is, so the same decision
//! fits a map in memory and a script on a shared store. Refused requests cost nothing and push nothing
//! back: one throttled click never leads to a longer lock-out.

use std::net::IpAddr;

use crate::time::{MINUTE_MS, Timestamp};

/// "`burst` at once, then `burst` per `period_ms`, evenly".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    pub burst: u32,
    pub period_ms: i64,
}

impl Quota {
    pub const fn per_minute(burst: u32) -> Self {
        Self { burst, period_ms: MINUTE_MS }
    }

    /// Micro-milliseconds between two requests at the steady rate; kept finer than a millisecond so that
    /// a quota of 60,000 a minute and more stays exact.
    fn step_us(self) -> i64 {
        (self.period_ms * 1_000 / i64::from(self.burst.max(1))).max(1)
    }
}

/// What the caller is told, allowed or not: the standard rate-limit headers come straight from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    pub allowed: bool,
    pub limit: u32,
    pub remaining: u32,
    /// Milliseconds until the whole burst is there again.
    pub reset_ms: i64,
    /// Milliseconds until one more is allowed; zero when allowed.
    pub retry_ms: i64,
}

/// Decides one request. `arrival_us` is the key's state (zero for a key never seen); the answer carries
/// the state to keep.
pub fn decide(quota: Quota, arrival_us: i64, now: Timestamp) -> (Allowance, i64) {
    let now_us = now.0 * 1_000;
    let step = quota.step_us();
    let window = step * i64::from(quota.burst.max(1));
    // State from further ahead than one window is of a clock that was ahead: it says nothing, and locks nobody out.
    let known = if arrival_us > now_us + window { now_us } else { arrival_us };
    let arrival = known.max(now_us);
    let next = arrival + step;
    let allowed = next - now_us <= window;
    let kept = if allowed { next } else { arrival };
    let used_us = kept - now_us;
    let remaining = u32::try_from((window - used_us) / step).unwrap_or(0);
    let allowance = Allowance {
        allowed,
        limit: quota.burst.max(1),
        remaining,
        reset_ms: used_us.div_euclid(1_000) + i64::from(used_us.rem_euclid(1_000) > 0),
        retry_ms: if allowed { 0 } else { ((next - now_us - window) / 1_000).max(1) },
    };
    (allowance, kept)
}

/// What [`decide`] would say to one more request, without counting it.
pub fn look(quota: Quota, arrival_us: i64, now: Timestamp) -> Allowance {
    decide(quota, arrival_us, now).0
}

/// Whom a limit counts: an IPv4 address, or the /64 of an IPv6 one, since a single customer owns it whole.
pub fn address_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let s = v6.segments();
            format!("{:x}:{:x}:{:x}:{:x}::/64", s[0], s[1], s[2], s[3])
        }
    }
}

/// Whom a limit counts where an address costs money: the /56 of an IPv6 address, which is what one customer is
/// commonly given, since 256 networks of size /64 are in it.
pub fn network_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let s = v6.segments();
            format!("{:x}:{:x}:{:x}:{:x}::/56", s[0], s[1], s[2], s[3] & 0xff00)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp(1_000_000 + ms)
    }

    /// One row per request: when it comes, whether it passes, how many are left.
    #[test]
    fn three_a_minute() {
        let quota = Quota::per_minute(3);
        let mut state = 0;
        for (row, (ms, allowed, remaining)) in [
            (0, true, 2),
            (0, true, 1),
            (0, true, 0),
            (0, false, 0),
            (19_999, false, 0),
            (20_000, true, 0),
            (20_000, false, 0),
            (200_000, true, 2),
        ]
        .into_iter()
        .enumerate()
        {
            let (answer, next) = decide(quota, state, at(ms));
            assert_eq!((answer.allowed, answer.remaining), (allowed, remaining), "row {row}");
            assert_eq!(answer.retry_ms > 0, !allowed, "row {row}");
            state = next;
        }
    }

    #[test]
    fn a_refused_request_does_not_push_the_next_one_back() {
        let quota = Quota::per_minute(1);
        let (_, state) = decide(quota, 0, at(0));
        let mut refused = state;
        for _ in 0..10_000 {
            refused = decide(quota, refused, at(1)).1;
        }
        assert!(decide(quota, refused, at(60_000)).0.allowed);
    }

    #[test]
    fn a_clock_that_jumps_back_locks_nobody_out() {
        let quota = Quota::per_minute(2);
        let (_, state) = decide(quota, 0, at(1_000_000_000));
        let (first, state) = decide(quota, state, at(0));
        assert_eq!((first.allowed, first.remaining), (true, 1), "as if nobody had come");
        let (_, state) = decide(quota, state, at(0));
        assert!(!decide(quota, state, at(0)).0.allowed, "and limited as ever");
    }

    #[test]
    fn addresses_are_counted_by_owner() {
        for (text, key) in [
            ("203.0.113.9", "203.0.113.9"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ] {
            assert_eq!(address_key(text.parse().unwrap()), key);
        }
    }

    #[test]
    fn networks_are_wider_than_addresses() {
        for (text, key) in [
            ("203.0.113.9", "203.0.113.9"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:1:2ff::1", "2001:db8:1:200::/56"),
            ("2001:db8:1:200:3:4:5:6", "2001:db8:1:200::/56"),
            ("2001:db8:1:300::1", "2001:db8:1:300::/56"),
        ] {
            assert_eq!(network_key(text.parse().unwrap()), key);
        }
    }
}
