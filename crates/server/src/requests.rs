//! What the edge keeps of requests: the next one's id, and the counters of those that were answered.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::http::Method;
use metrics::{Counter, Histogram};

/// One for the whole application.
#[derive(Debug)]
pub struct Requests {
    next: AtomicU64,
    /// By route: there are as many as the application has, and few methods and statuses for each.
    meters: RwLock<HashMap<String, Vec<Meter>>>,
    /// By the name of a refusal.
    rejections: RwLock<HashMap<&'static str, Counter>>,
}

/// Asking the recorder for a metric by its labels costs more than counting: it is asked once.
#[derive(Debug)]
struct Meter {
    method: &'static str,
    status: u16,
    requests: Counter,
    seconds: Histogram,
}

impl Requests {
    /// Ids begin anywhere, so that those of two lives of the program differ.
    pub fn beginning_at(first: u64) -> Self {
        Self { next: AtomicU64::new(first), meters: RwLock::default(), rejections: RwLock::default() }
    }

    /// Tells requests apart in logs; it is no secret.
    pub fn fresh_id(&self) -> String {
        format!("{:016x}", scattered(self.next.fetch_add(1, Ordering::Relaxed)))
    }

    /// Somebody was told "no", by this name.
    pub fn refused(&self, code: &'static str) {
        let known = self.rejections.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = known.get(code) {
            return counter.increment(1);
        }
        drop(known);
        let counter = metrics::counter!("windfall_rejections_total", "code" => code);
        counter.increment(1);
        // Two that came at once found the same metric.
        self.rejections.write().unwrap_or_else(PoisonError::into_inner).insert(code, counter);
    }

    pub fn count(&self, method: &Method, route: &str, status: u16, elapsed: Duration) {
        let method = known_method(method);
        let count = |meter: &Meter| {
            meter.requests.increment(1);
            meter.seconds.record(elapsed.as_secs_f64());
        };
        let of = |meter: &&Meter| meter.method == method && meter.status == status;
        let meters = self.meters.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(meter) = meters.get(route).and_then(|meters| meters.iter().find(of)) {
            return count(meter);
        }
        drop(meters);
        let meter = Meter::new(method, route, status);
        count(&meter);
        let mut meters = self.meters.write().unwrap_or_else(PoisonError::into_inner);
        let meters = meters.entry(route.to_owned()).or_default();
        // Two that came at once found the same metric.
        if !meters.iter().any(|known| of(&known)) {
            meters.push(meter);
        }
    }
}

impl Meter {
    fn new(method: &'static str, route: &str, status: u16) -> Self {
        let requests = metrics::counter!("windfall_http_requests_total",
            "method" => method, "route" => route.to_owned(), "status" => status.to_string());
        let seconds = metrics::histogram!("windfall_http_request_seconds",
            "route" => route.to_owned(), "outcome" => outcome(status));
        Self { method, status, requests, seconds }
    }
}

/// Another number for each, and neighbours far apart: ids that follow each other are easily mistaken for each other.
fn scattered(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Anybody may invent a method; metrics know only those there are.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn outcome(status: u16) -> &'static str {
    match status {
        0..400 => "done",
        400..500 => "refused",
        503 | 504 => "unavailable",
        _ => "failed",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_differ() {
        let requests = Requests::beginning_at(u64::MAX - 500);
        let ids: HashSet<String> = (0..1_000).map(|_| requests.fresh_id()).collect();
        assert_eq!(ids.len(), 1_000);
        assert!(ids.iter().all(|id| id.len() == 16));
    }

    #[test]
    fn a_counter_is_made_once_for_each_refusal() {
        let requests = Requests::beginning_at(0);
        for code in ["sold_out", "not_found", "sold_out"] {
            requests.refused(code);
        }
        let kept = requests.rejections.read().unwrap();
        assert_eq!((kept.len(), kept.contains_key("sold_out")), (2, true));
    }

    #[test]
    fn a_meter_is_made_once_for_each_method_and_status() {
        let requests = Requests::beginning_at(0);
        for (method, route, status) in [
            (Method::GET, "/a", 200),
            (Method::GET, "/a", 200),
            (Method::GET, "/a", 404),
            (Method::POST, "/a", 200),
            (Method::GET, "/b", 200),
        ] {
            requests.count(&method, route, status, Duration::from_millis(1));
        }
        let meters = requests.meters.read().unwrap();
        assert_eq!((meters["/a"].len(), meters["/b"].len(), meters.len()), (3, 1, 2));
    }
}
