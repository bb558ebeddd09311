//! What is found, in which order and page by page.

use domain::ids::OfferId;
use domain::search::{IndexedKind, SCANNED_MAX, SearchTier};
use domain::shop::{OfferChange, OfferKind, OfferState};
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::activity_fixtures;
use crate::fixtures::*;
use crate::sales;
use crate::shop;

on_both! {
    words_and_characters_find_posts_the_best_first,
    nothing_that_is_typed_is_an_operator,
    pages_go_on_where_they_ended,
    a_page_ends_after_so_many_that_its_reader_does_not_see,
    rare_words_are_found_behind_many_posts,
    activities_sales_and_offers_are_found_once_they_are_published,
}

async fn words_and_characters_find_posts_the_best_first(db: &Db) {
    let ann = user(db, 1, &[]).await;
    publish(db, 10, ann, "抽奖", "第一个").await;
    publish(db, 11, ann, "双十一抽奖活动", "快来").await;
    publish(db, 12, ann, "周末", "大家来**抽奖**吧，[这里](https://example.org/lucky)").await;
    publish(db, 13, ann, "Lucky Draw", "today").await;
    publish(db, 14, ann, "Nothing", "be LUCKY").await;
    publish(db, 15, ann, "抽奖规则", "抽奖抽奖").await;
    assert_eq!(posts(db, "抽奖", None).await, NONE, "the index follows");
    relay(db).await;
    for (query, expected) in [
        ("抽奖", vec![10, 15, 11, 12]),
        ("奖", vec![15, 11, 10, 12]),
        ("抽奖活动", vec![11]),
        ("活动 抽奖", vec![11]),
        ("lucky", vec![13, 14]),
        ("LUC", vec![13]),
        ("ｌｕｃｋｙ draw", vec![13]),
        ("example", vec![]),
        ("奖抽", vec![15]),
        ("!!", vec![]),
    ] {
        assert_eq!(posts(db, query, None).await, expected, "{query}");
    }
    let first = page(db, (IndexedKind::Post, "抽奖"), None, None, 9).await;
    let tiers: Vec<SearchTier> = first.items.iter().map(|(place, _)| place.tier).collect();
    assert_eq!(tiers, [SearchTier::Exact, SearchTier::Title, SearchTier::Title, SearchTier::Text]);
}

async fn nothing_that_is_typed_is_an_operator(db: &Db) {
    let ann = user(db, 1, &[]).await;
    publish(db, 10, ann, "not and or near", "a b").await;
    publish(db, 11, ann, "x", "a").await;
    relay(db).await;
    for query in [
        "a NOT b",
        "\"a\" OR \"b\"",
        "a*",
        "terms:a",
        "'a' & !'b'",
        "a:*",
        "NEAR(a b)",
        "^a",
        "a\\'b",
        "(a",
        "a)",
        "-a",
        "a\u{0}b",
        "\u{E001}a",
        "a' | 'b",
        "{a}",
        "%a_",
    ] {
        let got = posts(db, query, None).await;
        assert!(got == [11, 10] || got == [10] || got.is_empty(), "{query}: {got:?}");
    }
    assert_eq!(posts(db, "NOT", None).await, [10]);
    assert_eq!(posts(db, "a OR b", None).await, [10], "a word like others");
}

async fn pages_go_on_where_they_ended(db: &Db) {
    let ann = user(db, 1, &[]).await;
    for id in 10..20 {
        publish(db, id, ann, if id % 3 == 0 { "好运" } else { "日记" }, "今天好运").await;
    }
    relay(db).await;
    let first = page(db, (IndexedKind::Post, "好运"), None, None, 4).await;
    let ids = |page: &domain::search::FoundPage<FoundRow>| -> Vec<i64> {
        page.items.iter().map(|(place, _)| place.id).collect()
    };
    assert_eq!(ids(&first), [18, 15, 12, 19]);
    // What comes and goes in between neither repeats nor hides others.
    publish(db, 30, ann, "日记", "好运").await;
    db.post_delete(domain::ids::PostId(17), ann, LATER).await.unwrap();
    relay(db).await;
    let second = page(db, (IndexedKind::Post, "好运"), None, first.next, 4).await;
    assert_eq!(ids(&second), [16, 14, 13, 11]);
    let last = page(db, (IndexedKind::Post, "好运"), None, second.next, 4).await;
    assert_eq!((ids(&last), last.next), (vec![10], None));
}

async fn a_page_ends_after_so_many_that_its_reader_does_not_see(db: &Db) {
    let (ann, bob, reader) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    publish(db, 5, ann, "好运", "x").await;
    for id in 0..SCANNED_MAX as i64 {
        publish(db, 10 + id, bob, "好运", "x").await;
    }
    relay(db).await;
    db.block(reader, bob, LATER).await.unwrap();
    let first = page(db, (IndexedKind::Post, "好运"), Some(reader), None, 2).await;
    assert!(first.items.is_empty());
    let second = page(db, (IndexedKind::Post, "好运"), Some(reader), first.next, 2).await;
    assert_eq!((second.items.len(), second.next), (1, None), "what is behind them is not lost");
}

async fn rare_words_are_found_behind_many_posts(db: &Db) {
    let ann = user(db, 1, &[]).await;
    for id in 10..20 {
        publish(db, id, ann, "稀有", "needle").await;
    }
    for id in 20..440 {
        publish(db, id, ann, if id == 300 { "needle" } else { "常见" }, "text").await;
    }
    relay(db).await;
    assert_eq!(posts(db, "needle", None).await, [300, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
    assert_eq!(posts(db, "稀", None).await, (10..20).rev().collect::<Vec<i64>>());
    assert_eq!(posts(db, "常见", None).await.len(), 419);
}

async fn activities_sales_and_offers_are_found_once_they_are_published(db: &Db) {
    let wheel = activity_fixtures::create(db, 700, activity_fixtures::content()).await;
    let sale = activity_fixtures::create(db, 701, sales::sale()).await;
    shop::offer(db, 702, OfferKind::Text).await;
    relay(db).await;
    assert_eq!(
        found(db, IndexedKind::Activity, "spring", None).await,
        NONE,
        "a draft is nobody's to know of"
    );
    activity_fixtures::publish(db, wheel, 0).await;
    activity_fixtures::publish(db, sale, 0).await;
    assert!(relay(db).await > 0);
    for (kind, query, expected) in [
        (IndexedKind::Activity, "spring wheel", vec![700]),
        (IndexedKind::Activity, "prize", vec![700]),
        (IndexedKind::Sale, "spring", vec![701]),
        (IndexedKind::Sale, "大雪", vec![701]),
        (IndexedKind::Offer, "绿茶", vec![702]),
        (IndexedKind::Offer, "tea", vec![702]),
        (IndexedKind::Offer, "spring", vec![]),
    ] {
        assert_eq!(found(db, kind, query, None).await, expected, "{query}");
    }
    let off = OfferChange { state: Some(OfferState::Off), ..OfferChange::default() };
    let edit = shop::edited(OfferId(702), 2, off, signed(Actor::Console, 620_000));
    db.offer_edit(edit).await.unwrap();
    assert_eq!(found(db, IndexedKind::Offer, "tea", None).await, NONE, "at once");
    relay(db).await;
    assert!(db.search_index_list().await.unwrap().iter().all(|(thing, _)| thing.kind != IndexedKind::Offer));
}
