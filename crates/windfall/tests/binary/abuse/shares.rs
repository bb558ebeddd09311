//! What one of many may take: streams of a key, downloads of an address, tokens that somebody makes up.

use crate::backend::{Backend, part};
use crate::people::Person;
use crate::process::Home;
use crate::stream::Stream;

#[tokio::test]
async fn a_key_does_not_take_every_stream_of_the_staff() {
    let home = Home::with(&[("WINDFALL__HTTP__STREAMS_OF_CALLER_MAX", "2")]);
    let server = home.start("serve").await;
    let tea = Backend::new(&server).await.pool(5).await;
    let path = format!("/inventory/pools/{}/events", part(&tea));
    let (key, other) = (server.new_key(&["read"]).await, server.new_key(&["read"]).await);
    let first = Stream::open(&server, Some(&key), &path, "counters").await;
    let _second = Stream::open(&server, Some(&key), &path, "counters").await;
    let full = server.api("GET", &path).key(&key.secret).refused(429, "streams_of_caller_full").await;
    assert_eq!(full.header("retry-after"), "5");
    // Tables that are downloaded take the same places.
    server.api("GET", "/fulfilments.csv").key(&key.secret).refused(429, "streams_of_caller_full").await;
    server.api("GET", "/admin/orders.csv").key(&key.secret).refused(429, "streams_of_caller_full").await;
    let _others = Stream::open(&server, Some(&other), &path, "counters").await;
    drop(first);
    let csv = || server.api("GET", "/fulfilments.csv").key(&key.secret);
    crate::backend::settled(csv, |answer| answer.status == 200).await;
}

/// Everything public that may be long: refused when the address has its places taken, whatever it asks for.
#[tokio::test]
async fn long_public_downloads_count_by_address() {
    let home = Home::with(&[("WINDFALL__HTTP__STREAMS_OF_ADDRESS_MAX", "1")]);
    let server = home.demo().await;
    let sales = server.api("GET", "/sales").expect(200).await.items();
    let sale = sales[0]["id"].as_str().unwrap();
    for path in ["/play/activities/7/raffle/roll", "/activities/7/export"] {
        server.api("GET", path).refused(404, "not_found").await;
    }
    let _open = Stream::open(&server, None, &format!("/sales/{sale}/live"), "sale").await;
    for path in ["/play/activities/7/raffle/roll", "/activities/7/export"] {
        server.api("GET", path).refused(429, "streams_of_address_full").await;
    }
}

/// Somebody who makes tokens up uses the allowance of their address, and then nothing of it is looked for any more: not even
/// a token that is good, unless it was seen a while ago.
#[tokio::test]
async fn tokens_that_nobody_has_seen_are_not_looked_for_beyond_the_addresss_allowance() {
    let settings =
        [("WINDFALL__LIMITS__IP_PER_MINUTE", "2"), ("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.1")];
    let home = Home::with(&settings);
    let server = home.start("serve").await;
    let person: Person = server.person(&[]).await;
    let key = server.new_key(&["read"]).await;
    server.stop().await;
    let server = home.start("serve").await;
    // An allowance of two in a minute: another address until three came within it.
    let mut spent = None;
    for n in 0..100 {
        let from = format!("198.51.100.{n}");
        let made_up = |i: u32| format!("windfall_session=wfs_{:064x}", 1_000 * n + i);
        let mut last = 0;
        for i in 0..3 {
            let call = server.api("GET", "/me").cookie(&made_up(i)).header("x-forwarded-for", &from);
            last = call.send().await.status;
        }
        if last == 429 {
            spent = Some(from);
            break;
        }
    }
    let spent = spent.expect("an address without an allowance");
    let me = |from: &str| server.api("GET", "/me").cookie(&person.cookie).header("x-forwarded-for", from);
    let jobs = |from: &str| server.api("GET", "/admin/jobs").key(&key.secret).header("x-forwarded-for", from);
    // Half a minute gives one back: until then nobody is looked for from there.
    let refused = [me(&spent).send().await.status, jobs(&spent).send().await.status];
    assert!(refused.contains(&429), "{refused:?}");
    me("203.0.113.9").expect(200).await;
    jobs("203.0.113.9").expect(200).await;
    me(&spent).expect(200).await;
    jobs(&spent).expect(200).await;
}
