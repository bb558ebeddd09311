//! Tokens: to whom and when they are given, and what they are good for.

use domain::sale::token::TOKEN_LIFE_MS;
use engine::activities::Run;
use engine::activities::block_list::{GivenUser, block_list_import};
use engine::sales::gate;
use rusqlite::{Connection, Row};

use super::fixtures::*;
use crate::activities::world::{ANN, Stage};

/// The clock alone says when there are tokens; before the start there is nothing that could be sent.
#[tokio::test]
async fn a_token_is_given_from_the_start_to_the_end() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 10).await;
    for (after_ms, expected) in [
        (0, "not_started"),
        (FROM_MS - 1, "not_started"),
        (FROM_MS, "yes"),
        (UNTIL_MS - 1, "yes"),
        (UNTIL_MS, "ended"),
    ] {
        stage.set(after_ms);
        assert_eq!(heard(&token(&stage, sale, 7).await), expected, "{after_ms} ms");
    }
}

/// Who shows whose token for what, and when; and what they hear.
#[tokio::test]
async fn a_token_is_good_for_its_user_its_sale_and_its_while() {
    let stage = Stage::new().await;
    let other = sale(&stage, OPEN, 10).await;
    let sale = sale(&stage, OPEN, 10).await;
    let text = token_text(&stage, sale, 7).await;
    let mut changed = text.clone();
    changed.replace_range(text.len() - 1.., if text.ends_with('0') { "1" } else { "0" });
    for (user, shown_for, token, after_ms, expected) in [
        (7, sale, Some(&*text), 0, "yes"),
        (7, sale, Some(&text), 0, "yes"),
        (8, sale, Some(&text), 0, "token_wrong"),
        (7, other, Some(&text), 0, "token_wrong"),
        (7, sale, Some(&changed), 0, "token_wrong"),
        (7, sale, Some(""), 0, "token_wrong"),
        (7, sale, None, 0, "token_needed"),
        (7, sale, Some(&text), TOKEN_LIFE_MS - 1, "yes"),
        (7, sale, Some(&text), TOKEN_LIFE_MS, "token_expired"),
    ] {
        stage.set(FROM_MS + after_ms);
        assert_eq!(admit(&stage, shown_for, user, token).await, expected, "{user} {token:?} {after_ms}");
    }
}

#[tokio::test]
async fn a_token_is_used_once_however_often_it_is_shown() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 10).await;
    let text = token_text(&stage, sale, 7).await;
    let admitted = || gate::admit(&stage.world, buyer(7), sale, Some(&text));
    let (first, second) = (admitted().await.unwrap(), admitted().await.unwrap());
    assert_eq!(first.spend(&stage.world), Ok(()));
    assert_eq!(second.spend(&stage.world), Err(domain::Rejection::TokenSpent), "two clicks at once");
    assert_eq!(admit(&stage, sale, 7, Some(&text)).await, "token_spent");
    stage.set(FROM_MS + 1);
    let next = token_text(&stage, sale, 7).await;
    assert_eq!(admit(&stage, sale, 7, Some(&next)).await, "yes", "another one is another try");
}

/// What was true when the token was given may be no longer true when it is shown.
#[tokio::test]
async fn a_token_outlives_neither_a_pause_nor_a_block_nor_its_round() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 10).await;
    stage.run_jobs().await;
    let text = token_text(&stage, sale, 7).await;
    for (step, asked, shown) in [
        (Run::Pause, "paused", "paused"),
        (Run::Resume, "yes", "yes"),
        (Run::Close, "ended", "ended"),
        (Run::Reopen, "yes", "token_expired"),
    ] {
        run(&stage, sale, step).await;
        assert_eq!(admit(&stage, sale, 7, Some(&text)).await, shown, "{step:?}");
        assert_eq!(heard(&token(&stage, sale, 7).await), asked, "{step:?}");
    }
}

#[tokio::test]
async fn whoever_is_blocked_gets_none() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 10).await;
    let text = token_text(&stage, sale, ANN.0).await;
    let blocked = vec![GivenUser::Id(ANN.to_string())];
    let known = stage.signed(ANN);
    person(&stage, ANN).await;
    block_list_import(&stage.world, known, sale, blocked).await.unwrap();
    assert_eq!(heard(&token(&stage, sale, ANN.0).await), "not_eligible");
    assert_eq!(admit(&stage, sale, ANN.0, Some(&text)).await, "not_eligible");
    assert_eq!(heard(&token(&stage, sale, 8).await), "yes");
}

/// Each user and each address may come so often; a company's backend stands for many, and its address counts for none.
#[tokio::test]
async fn nobody_comes_too_often() {
    let mut stage = Stage::new().await;
    stage.world.settings.quotas.sale_user = domain::limit::Quota::per_minute(3);
    stage.world.settings.quotas.sale_ip = domain::limit::Quota::per_minute(5);
    let sale = sale(&stage, OPEN, 10).await;
    for (user, address, expected) in [
        (1, Some([192, 0, 2, 1]), "yes"),
        (1, Some([192, 0, 2, 1]), "yes"),
        (1, Some([192, 0, 2, 1]), "yes"),
        (1, Some([192, 0, 2, 1]), "rate_limited"),
        (1, Some([192, 0, 2, 2]), "rate_limited"),
        (2, Some([192, 0, 2, 1]), "yes"),
        (2, Some([192, 0, 2, 1]), "yes"),
        (3, Some([192, 0, 2, 1]), "rate_limited"),
        (3, Some([192, 0, 2, 2]), "yes"),
        (4, None, "yes"),
        (5, None, "yes"),
    ] {
        let buyer = gate::Buyer { address: address.map(Into::into), ..buyer(user) };
        let came = gate::token_give(&stage.world, buyer, sale, None).await;
        assert_eq!(heard(&came), expected, "{user} {address:?}");
    }
    let text = token_text(&stage, sale, 9).await;
    for expected in ["yes", "yes", "yes", "rate_limited"] {
        let none = gate::Buyer { address: None, ..buyer(9) };
        assert_eq!(heard(&gate::admit(&stage.world, none, sale, Some(&text)).await), expected);
    }
}

fn version(row: &Row<'_>) -> rusqlite::Result<i64> {
    row.get(0)
}

/// A crowd that brings nothing is sent away from memory: neither the database nor the journal sees a commit.
#[tokio::test]
async fn ten_thousand_without_a_token_cost_no_disk_write() {
    let stage = Stage::new().await;
    let sale = sale(&stage, OPEN, 10).await;
    let forged = token_text(&stage, sale, 7).await;
    assert_eq!(admit(&stage, sale, 1, None).await, "token_needed");
    stage.settled().await;
    let files =
        ["windfall.db", "journal.db"].map(|name| Connection::open(stage.folder().join(name)).unwrap());
    // Rises with every commit of anybody else.
    let commits = || files.each_ref().map(|file| file.query_row("PRAGMA data_version", [], version).unwrap());
    let crowd = async || {
        for user in 1_000..11_000 {
            let (token, expected) =
                if user % 2 == 0 { (None, "token_needed") } else { (Some(&*forged), "token_wrong") };
            assert_eq!(admit(&stage, sale, user, token).await, expected);
        }
        token_text(&stage, sale, 7).await;
    };
    // It also rises when the log of what was written before is moved into its file: a crowd that was in the middle of that
    // comes again, and sooner or later there is nothing left to move.
    let mut before = commits();
    let mut tries = 0;
    loop {
        crowd().await;
        let after = commits();
        if after == before {
            break;
        }
        tries += 1;
        assert!(tries < 10, "something is written for every crowd");
        before = after;
    }
    hold(&stage, sale, "first", 1).await.unwrap();
    stage.settled().await;
    assert!(commits().iter().zip(before).all(|(now, before)| *now != before), "and a commit is seen");
}
