//! Codes go out within their caps, are tried a few times and spent once.

use domain::account::{CodeHolder, CodePurpose, SendCaps};
use futures::future::join_all;
use store::Db;
use store::failure::{Failure, Result};
use store::model::*;

use crate::fixtures::*;

on_both! {
    sends_within_caps,
    sending_tells_whether_the_phone_is_known,
    wrong_tries_are_counted_although_refused,
    who_guesses_elsewhere_uses_up_nobody_elses_tries,
    a_known_device_has_a_code_a_pause_and_a_day_of_its_own,
    a_code_fits_one_phone_one_purpose_and_two_minutes,
    a_burnt_code_still_delays_the_next,
    a_new_code_replaces_the_old_one_and_its_tries,
    one_code_lets_one_of_fifty_in,
    a_cap_holds_when_fifty_ask_at_once,
}

async fn sends_within_caps(db: &Db) {
    let caps = SendCaps { phone_daily: 2, ip_daily: 3, site_daily: 5 };
    for (n, ip, after_s, day, expected) in [
        (1, "a", 0, 1, "ok"),
        (1, "a", 59, 1, "code_too_soon"),
        // One network has half a phone's day.
        (1, "a", 60, 1, "code_daily_cap"),
        (1, "b", 60, 1, "ok"),
        (1, "c", 120, 1, "code_daily_cap"),
        // Another phone counts towards the same address, until that is full too.
        (2, "b", 120, 1, "ok"),
        (3, "b", 120, 1, "ok"),
        (4, "b", 120, 1, "code_daily_cap"),
        (4, "c", 120, 1, "ok"),
        (5, "d", 120, 1, "code_site_cap"),
        (1, "b", 180, 2, "ok"),
    ] {
        let now = T0 + after_s * 1_000;
        let step = CodeIssue { network: ip.into(), day, caps, ..issue(n, CodePurpose::SignIn, now) };
        assert_eq!(said(db.code_issue(step).await), expected, "{n} {ip} {after_s} {day}");
    }
}

async fn sending_tells_whether_the_phone_is_known(db: &Db) {
    user(db, 1, &[]).await;
    for (n, known) in [(1, true), (2, false)] {
        assert_eq!(db.code_issue(issue(n, CodePurpose::SignIn, T0)).await.unwrap(), known);
    }
}

/// A refused try is counted all the same; the sixth finds nothing to try at.
async fn wrong_tries_are_counted_although_refused(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    let mut heard = Vec::new();
    for code in [WRONG, WRONG, WRONG, WRONG, WRONG, RIGHT] {
        match db.sign_in_by_code(sign_in(1, 1, 1, code, T0)).await {
            Err(Failure::Rejected(rejection)) => heard.push(rejection.to_string()),
            other => panic!("{other:?}"),
        }
    }
    let left = |tries| format!("The code is wrong; {tries} tries left.");
    let spent = "There is no valid code for this phone. Request a new one.".to_owned();
    assert_eq!(heard, [left(4), left(3), left(2), left(1), left(0), spent]);
    assert!(db.account_by_phone(phone(1)).await.unwrap().is_none(), "nobody was let in");
}

async fn who_guesses_elsewhere_uses_up_nobody_elses_tries(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    let guess = |network: String, code| {
        let try_ = CodeTry { network, ..try_(1, CodePurpose::SignIn, code, T0) };
        db.sign_in_by_code(SignInByCode { try_, ..sign_in(1, 1, 1, code, T0) })
    };
    // Four places with five tries each, and one with four; the code bears one more.
    for (place, expected) in (0..24).map(|n| (n / 5, "code_wrong")).chain([(0, "code_spent")]) {
        assert_eq!(said(guess(format!("10.0.1.{place}"), WRONG).await), expected);
    }
    assert_eq!(said(guess("10.0.1.0".into(), RIGHT).await), "code_spent", "five tries from there are gone");
    assert_eq!(said(guess("10.0.2.1".into(), RIGHT).await), "ok", "the owner was not kept out");

    db.code_issue(issue(1, CodePurpose::SignIn, T0 + 60_000)).await.unwrap();
    for n in 0..25 {
        assert_eq!(said(guess(format!("10.0.3.{n}"), WRONG).await), "code_wrong");
    }
    assert_eq!(said(guess("10.0.2.1".into(), RIGHT).await), "code_spent", "one code bears so many guesses");
}

async fn a_known_device_has_a_code_a_pause_and_a_day_of_its_own(db: &Db) {
    let caps = SendCaps { phone_daily: 2, ip_daily: 2, site_daily: 20 };
    let own = CodeHolder::Device([7; 32]);
    let ask = |holder, code, after_s: i64| {
        let step = issue(1, CodePurpose::SignIn, T0 + after_s * 1_000);
        let network = format!("10.0.0.{after_s}");
        db.code_issue(CodeIssue { holder, code, network, caps, ..step })
    };
    let use_code = |holder, session, code, after_s: i64| {
        let now = T0 + after_s * 1_000;
        let try_ = CodeTry { holder, ..try_(1, CodePurpose::SignIn, code, now) };
        db.sign_in_by_code(SignInByCode { try_, ..sign_in(1, 1, session, code, now) })
    };
    let (other, strangers) = ([3; 32], CodeHolder::Strangers);
    assert_eq!(said(ask(own, RIGHT, 0).await), "ok");
    assert_eq!(said(ask(strangers, other, 0).await), "ok", "no pause for others' codes");
    assert_eq!(said(ask(strangers, other, 60).await), "ok");
    assert_eq!(said(ask(strangers, other, 120).await), "code_daily_cap", "the day of strangers is over");
    for _ in 0..5 {
        assert_eq!(said(use_code(strangers, 1, WRONG, 60).await), "code_wrong");
    }
    assert_eq!(
        said(use_code(strangers, 1, RIGHT, 60).await),
        "code_spent",
        "nor does one's code fit another"
    );
    assert_eq!(said(use_code(own, 1, RIGHT, 60).await), "ok");
    assert_eq!(said(ask(own, RIGHT, 61).await), "ok");
    assert_eq!(said(ask(own, RIGHT, 120).await), "code_too_soon");
    assert_eq!(said(ask(own, RIGHT, 121).await), "code_daily_cap", "it is a day like any other");
    for _ in 0..5 {
        assert_eq!(said(use_code(own, 2, WRONG, 61).await), "code_wrong");
    }
    assert_eq!(said(use_code(own, 2, RIGHT, 61).await), "code_spent", "five tries, like anybody");
}

async fn a_code_fits_one_phone_one_purpose_and_two_minutes(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    for (n, purpose, after_ms) in [
        (2, CodePurpose::SignIn, 0),
        (1, CodePurpose::Register, 0),
        (1, CodePurpose::SignIn, 120_000),
        // Burnt by the try before.
        (1, CodePurpose::SignIn, 0),
    ] {
        let step =
            SignInByCode { try_: try_(n, purpose, RIGHT, T0 + after_ms), ..sign_in(1, 1, 1, RIGHT, T0) };
        assert_eq!(said(db.sign_in_by_code(step).await), "code_spent", "{n} {purpose:?} {after_ms}");
    }
}

/// Otherwise five wrong tries would buy the next message at once.
async fn a_burnt_code_still_delays_the_next(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    for _ in 0..5 {
        assert_eq!(said(db.sign_in_by_code(sign_in(1, 1, 1, WRONG, T0)).await), "code_wrong");
    }
    for (after_ms, expected) in [(59_999, "code_too_soon"), (60_000, "ok")] {
        assert_eq!(said(db.code_issue(issue(1, CodePurpose::SignIn, T0 + after_ms)).await), expected);
    }
    assert_eq!(said(db.sign_in_by_code(sign_in(1, 1, 1, RIGHT, T0 + 60_000)).await), "ok");
}

async fn a_new_code_replaces_the_old_one_and_its_tries(db: &Db) {
    db.code_issue(CodeIssue { code: WRONG, ..issue(1, CodePurpose::SignIn, T0) }).await.unwrap();
    assert_eq!(said(db.sign_in_by_code(sign_in(1, 1, 1, RIGHT, T0)).await), "code_wrong");
    let later = T0 + 60_000;
    db.code_issue(issue(1, CodePurpose::SignIn, later)).await.unwrap();
    assert_eq!(said(db.sign_in_by_code(sign_in(1, 1, 1, WRONG, later)).await), "code_wrong");
    assert_eq!(said(db.sign_in_by_code(sign_in(1, 1, 1, RIGHT, later)).await), "ok");
}

async fn one_code_lets_one_of_fifty_in(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    let tries = (1..=50).map(|n| db.sign_in_by_code(sign_in(1, n, n, RIGHT, T0)));
    let heard: Vec<Result<CreateOutcome>> = join_all(tries).await;
    let (entered, refused): (Vec<_>, Vec<_>) = heard.into_iter().map(said).partition(|heard| *heard == "ok");
    assert_eq!(entered.len(), 1);
    assert!(refused.iter().all(|heard| *heard == "code_spent"), "{refused:?}");
    let user = db.account_by_phone(phone(1)).await.unwrap().unwrap().profile.id;
    assert_eq!(live_sessions(db, user).await.len(), 1);
}

async fn a_cap_holds_when_fifty_ask_at_once(db: &Db) {
    let caps = SendCaps { phone_daily: 100, ip_daily: 10, site_daily: 100 };
    let asked = (1..=50).map(|n| db.code_issue(CodeIssue { caps, ..issue(n, CodePurpose::SignIn, T0) }));
    let sent = join_all(asked).await.into_iter().map(said).filter(|heard| *heard == "ok").count();
    assert_eq!(sent, 10);
}
