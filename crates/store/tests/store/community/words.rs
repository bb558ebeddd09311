//! The list of the word filter: what is set and taken out, its versions and its history.

use domain::access::Role;
use domain::community::{FilterWord, FoldedWord, WordAction};
use domain::ids::UserId;
use domain::page::PageRequest;
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use crate::fixtures::*;

on_both! {
    a_change_raises_the_version_once,
    fifty_changes_at_once_are_fifty_versions,
    the_list_is_paged_and_searched,
    nobody_fills_the_list_without_end,
}

/// Sets and takes out; ids of new words begin at a thousand times the audit line's.
fn change(
    db: &Db,
    judge: UserId,
    audit: i64,
    set: &[(&str, WordAction)],
    remove: &[&str],
) -> impl Future<Output = Result<i64>> {
    let parse = |word: &str| FoldedWord::parse(word).unwrap();
    let set = (1..).zip(set).map(|(n, (word, action))| {
        let (word, folded) = parse(word);
        (audit * 1_000 + n, folded, FilterWord { word, action: *action })
    });
    let remove = remove.iter().map(|word| parse(word).1).collect();
    db.words_change(WordsChange { set: set.collect(), remove, signed: signed(Actor::Person(judge), audit) })
}

async fn words(db: &Db) -> Vec<(String, WordAction)> {
    let list = db.words_load(None).await.unwrap().unwrap();
    list.words.into_iter().map(|word| (word.word, word.action)).collect()
}

async fn a_change_raises_the_version_once(db: &Db) {
    use WordAction::*;
    let judge = user(db, 2, &[Role::Moderator]).await;
    assert_eq!(db.words_load(None).await.unwrap(), Some(WordList { version: 0, words: vec![] }));
    let set = [("赌博", Reject), ("傻瓜", Mask)];
    assert_eq!(change(db, judge, 100, &set, &[]).await.unwrap(), 1);
    assert_eq!(change(db, judge, 101, &set, &["加群"]).await.unwrap(), 1, "it is so already");
    assert_eq!(db.words_load(Some(1)).await.unwrap(), None, "nothing newer");
    // Another spelling is the same word.
    assert_eq!(change(db, judge, 102, &[("賭 博", Hold)], &["傻 瓜"]).await.unwrap(), 2);
    assert_eq!(words(db).await, [("賭 博".to_owned(), Hold)]);
    let history = db.words_changes().await.unwrap();
    let mut told: Vec<(i64, &str, _, _)> =
        history.iter().map(|row| (row.version, row.word.as_str(), row.before, row.after)).collect();
    assert!(told.is_sorted_by(|one, next| one.0 >= next.0), "newest first");
    told.sort_unstable();
    let expected = [
        (1, "傻瓜", None, Some(Mask)),
        (1, "赌博", None, Some(Reject)),
        (2, "傻瓜", Some(Mask), None),
        (2, "賭 博", Some(Reject), Some(Hold)),
    ];
    assert_eq!(told, expected);
    assert_eq!(history[0].moderator.as_ref().map(|person| person.id), Some(judge));
    assert_eq!(audited(db, "words:1").await, ["words.change"]);
    assert_eq!(audited(db, "words:2").await, ["words.change"]);
}

async fn fifty_changes_at_once_are_fifty_versions(db: &Db) {
    let judge = user(db, 2, &[Role::Moderator]).await;
    let names: Vec<String> = (1..=50).map(|n| format!("word{n}")).collect();
    let set: Vec<[(&str, WordAction); 1]> =
        names.iter().map(|name| [(name.as_str(), WordAction::Hold)]).collect();
    let changes = (1..).zip(&set).map(|(n, set)| change(db, judge, 100 + n, set, &[]));
    let mut versions: Vec<i64> = join_all(changes).await.into_iter().map(Result::unwrap).collect();
    versions.sort_unstable();
    assert_eq!(versions, (1..=50).collect::<Vec<_>>());
    assert_eq!(db.words_load(None).await.unwrap().unwrap().words.len(), 50);
}

async fn the_list_is_paged_and_searched(db: &Db) {
    use WordAction::*;
    let judge = user(db, 2, &[Role::Moderator]).await;
    let set = [("Casino", Reject), ("casino royale", Hold), ("赌博", Reject), ("damn", Mask), ("50%", Mask)];
    change(db, judge, 100, &set, &[]).await.unwrap();
    let find = async |part: Option<&str>, action, limit| {
        let part = part.map(|part| FoldedWord::parse(part).unwrap().1);
        let (mut all, mut page) = (Vec::new(), PageRequest::first(limit));
        loop {
            let found = db.words_find(WordsFind { part: part.clone(), action }, page).await.unwrap();
            all.extend(found.items.into_iter().map(|row| row.word.word));
            page.after = found.next;
            if page.after.is_none() {
                return all;
            }
        }
    };
    assert_eq!(find(None, None, 2).await, ["50%", "damn", "赌博", "casino royale", "Casino"]);
    assert_eq!(find(Some("CASINO"), None, 9).await, ["casino royale", "Casino"]);
    assert_eq!(find(None, Some(Reject), 1).await, ["赌博", "Casino"]);
    assert_eq!(find(Some("賭"), Some(Hold), 9).await, Vec::<String>::new());
}

async fn nobody_fills_the_list_without_end(db: &Db) {
    let judge = user(db, 2, &[Role::Moderator]).await;
    for part in 0..20 {
        let names: Vec<String> = (0..500).map(|n| format!("w{part}x{n}")).collect();
        let set: Vec<(&str, WordAction)> =
            names.iter().map(|name| (name.as_str(), WordAction::Mask)).collect();
        change(db, judge, 100 + part, &set, &[]).await.unwrap();
    }
    assert_eq!(said(change(db, judge, 200, &[("more", WordAction::Mask)], &[]).await), "filter_full");
    assert_eq!(db.words_load(Some(20)).await.unwrap(), None, "nothing was written");
    assert_eq!(change(db, judge, 201, &[("more", WordAction::Mask)], &["w0x0"]).await.unwrap(), 21);
}
