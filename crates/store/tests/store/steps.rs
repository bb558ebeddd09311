//! What holds for any step, whichever database runs it.

use domain::Rejection;
use domain::page::PageRequest;
use store::db::Judged;
use store::failure::{Failure, Result};
use store::model::*;
use store::tx::Tx;
use store::value::Value;
use store::{Db, params};

use crate::fixtures::*;

const INSERT: &str = "INSERT INTO links (token_hash, user_id, expires) VALUES ($1, $2, $3)";
const COUNT: &str = "SELECT COUNT(*) FROM links";

#[derive(Clone, Copy, Debug)]
enum End {
    Well,
    Rejected,
    Judged,
    Panic,
    BadSql,
}

async fn insert_and(tx: &Tx<'_>, end: End) -> Result<Judged<()>> {
    tx.execute(INSERT, params![hash(1), 1_000_i64, 0_i64]).await?;
    match end {
        End::Well => Ok(Ok(())),
        End::Rejected => Err(Rejection::TimedOut.into()),
        End::Judged => Ok(Err(Rejection::TimedOut)),
        End::Panic => panic!("on purpose"),
        End::BadSql => tx.execute("INSERT INTO nowhere VALUES (1)", params![]).await.map(|_| Ok(())),
    }
}

async fn links(db: &Db) -> i64 {
    db.read((), |tx, ()| Box::pin(async move { tx.count(COUNT, params![]).await })).await.unwrap()
}

on_both! {
    only_a_success_or_a_judgement_is_kept,
    a_read_cannot_write,
    a_reader_that_panicked_is_replaced,
    the_ends_of_every_type_come_back,
    a_value_of_another_type_is_refused_not_cast,
    a_page_of_nothing_has_no_next,
    a_closed_database_says_so,
}

async fn only_a_success_or_a_judgement_is_kept(db: &Db) {
    user(db, 1, &[]).await;
    for (end, heard, kept) in [
        (End::Rejected, "timed_out", 0),
        (End::Panic, "fault", 0),
        (End::BadSql, "fault", 0),
        (End::Judged, "timed_out", 1),
    ] {
        let outcome = db.write_judged(end, |tx, end| Box::pin(insert_and(tx, *end))).await;
        let code = outcome.unwrap_err().code().unwrap_or("fault");
        assert_eq!((code, links(db).await), (heard, kept), "{end:?}");
    }
    db.write((), |tx, ()| Box::pin(async move { tx.execute("DELETE FROM links", params![]).await }))
        .await
        .unwrap();
    assert!(db.write_judged(End::Well, |tx, end| Box::pin(insert_and(tx, *end))).await.is_ok());
    assert_eq!(links(db).await, 1, "the database is well after all that");
}

async fn a_read_cannot_write(db: &Db) {
    user(db, 1, &[]).await;
    let outcome = db.read(End::Well, |tx, end| Box::pin(insert_and(tx, *end))).await;
    assert!(matches!(outcome, Err(Failure::Fault(_))), "{outcome:?}");
    assert_eq!(links(db).await, 0);
}

async fn a_reader_that_panicked_is_replaced(db: &Db) {
    for _ in 0..20 {
        let outcome = db.read((), |_, ()| Box::pin(async move { panic!("on purpose") })).await;
        let outcome: Result<()> = outcome;
        assert!(matches!(outcome, Err(Failure::Fault(_))));
    }
    db.ping().await.unwrap();
}

async fn the_ends_of_every_type_come_back(db: &Db) {
    const WRITE: &str = "INSERT INTO answers (principal, idem_key, fingerprint, made, reference, sealed)
        VALUES ($5, $6, $3, $1, $2, $4)";
    const READ: &str = "SELECT made, reference, fingerprint, sealed, principal, idem_key, '$1' FROM answers";
    let given = vec![
        Value::Int(i64::MIN),
        Value::Int(i64::MAX),
        Value::Bytes((0..32).collect()),
        Value::Null,
        Value::Text("抽奖 'quoted' $1".into()),
        Value::Text(String::new()),
    ];
    db.write(given, |tx, given| Box::pin(async move { tx.execute(WRITE, given).await })).await.unwrap();
    let got = db.read((), |tx, ()| {
        Box::pin(async move {
            tx.one(READ, params![], |row| {
                let bytes = (row.int()?, row.int()?, row.bytes()?, row.opt_bytes()?);
                Ok((bytes, (row.text()?, row.text()?, row.text()?)))
            })
            .await
        })
    });
    let (numbers, texts) = got.await.unwrap().unwrap();
    assert_eq!(numbers, (i64::MIN, i64::MAX, (0..32).collect(), None));
    assert_eq!(texts, ("抽奖 'quoted' $1".into(), String::new(), "$1".into()));
}

async fn a_value_of_another_type_is_refused_not_cast(db: &Db) {
    user(db, 1, &[]).await;
    for [hash, user, expires] in [
        [Value::Text("x".into()), Value::Int(1_000), Value::Int(0)],
        [Value::from(hash(1)), Value::Text("x".into()), Value::Int(0)],
        [Value::from(hash(1)), Value::Int(1_000), Value::Bytes(vec![1])],
    ] {
        let given = vec![hash, user, expires];
        let outcome =
            db.write(given, |tx, given| Box::pin(async move { tx.execute(INSERT, given).await })).await;
        assert!(matches!(outcome, Err(Failure::Fault(_))), "{outcome:?}");
    }
    assert_eq!(links(db).await, 0);
}

async fn a_page_of_nothing_has_no_next(db: &Db) {
    let page = db.audit_list(AuditQuery::default(), PageRequest::default()).await.unwrap();
    assert_eq!((page.items, page.next), (vec![], None));
}

async fn a_closed_database_says_so(db: &Db) {
    db.close().await;
    let outcome = db.write_judged(End::Well, |tx, end| Box::pin(insert_and(tx, *end))).await;
    assert!(matches!(outcome, Err(Failure::Fault(_))), "{outcome:?}");
    assert!(matches!(db.ping().await, Err(Failure::Fault(_))));
}
