//! Redeem codes: every code at most once, none lost, whoever takes or imports beside.

use std::collections::BTreeSet;

use domain::ids::{CodePoolId, FulfilmentId, WebhookId};
use domain::page::PageRequest;
use domain::webhook::{EventFilter, HookFormat};
use futures::future::join_all;
use store::Db;
use store::model::*;
use store::params;

use crate::fixtures::*;
use crate::outbox::hold_lane;

on_both! {
    pools_have_names_of_their_own,
    chunks_are_added_on_top_of_what_was_seen,
    codes_are_given_in_order_and_once,
    a_given_code_is_found_in_its_chunk,
    many_takers_get_every_code_once,
    importers_who_meet_take_turns,
    an_import_calls_up_those_who_wait_in_the_order_they_won,
    a_pool_is_told_to_be_low_once,
    the_same_event_in_one_moment_is_told_once,
    chunks_are_sealed_anew,
    what_is_retired_is_never_given,
}

const POOL: CodePoolId = CodePoolId(70);

fn make(id: i64, name: &str, low_below: u32, key: Option<&str>) -> CodePoolMake {
    let once = key.and_then(|key| once(key, name));
    CodePoolMake {
        id: CodePoolId(id),
        name: name.into(),
        low_below,
        once,
        signed: signed(Actor::Console, id),
    }
}

/// Chunks of so many codes each; the sealed bytes name the chunk.
fn chunks(sizes: &[u32]) -> Vec<NewChunk> {
    let chunk = |(at, codes): (usize, &u32)| NewChunk {
        codes: *codes,
        prints: vec![1; *codes as usize * 8],
        sealed: vec![1, u8::try_from(at).unwrap()],
    };
    sizes.iter().enumerate().map(chunk).collect()
}

async fn add(db: &Db, pool: CodePoolId, after: i64, sizes: &[u32]) -> CodesAdded {
    let step = CodesAdd { pool, after, chunks: chunks(sizes), signed: signed(Actor::Console, 1_000 + after) };
    db.codes_add(step).await.unwrap()
}

/// A pool with so many codes.
async fn pool(db: &Db, codes: u32, low_below: u32) {
    db.code_pool_make(make(POOL.0, "tea", low_below, None)).await.unwrap();
    if codes > 0 {
        assert_eq!(add(db, POOL, 0, &[codes]).await, CodesAdded::Added(1));
    }
}

async fn take(db: &Db, ids: impl IntoIterator<Item = i64>) -> Vec<Option<u64>> {
    let ids = ids.into_iter().map(FulfilmentId).collect();
    let taken = db.codes_take(POOL, ids, T0).await.unwrap();
    let number = |taken| match taken {
        CodeOutcome::Code(number) => Some(number),
        CodeOutcome::NoneLeft | CodeOutcome::Quarantined => None,
    };
    taken.into_iter().map(number).collect()
}

async fn counts(db: &Db) -> (u64, u64, u64) {
    let row = db.code_pool(POOL).await.unwrap().unwrap();
    (row.imported, row.given, row.left())
}

async fn pools_have_names_of_their_own(db: &Db) {
    for (step, expected) in [
        (make(1, "tea", 5, Some("k")), "ok"),
        (make(2, "tea", 5, Some("k")), "ok"),
        (make(3, "cup", 5, Some("k")), "idempotency_conflict"),
        (make(3, "tea", 5, None), "code_pool_exists"),
        (make(4, "cup", 0, None), "ok"),
    ] {
        assert_eq!(said(db.code_pool_make(step.clone()).await), expected, "{step:?}");
    }
    let names = |page: domain::page::Page<CodePoolRow>| -> Vec<String> {
        page.items.into_iter().map(|row| row.name).collect()
    };
    let first = db.code_pool_list(None, PageRequest::first(1)).await.unwrap();
    let rest = PageRequest { limit: 1, after: first.next };
    assert_eq!(names(first), ["cup"]);
    assert_eq!(names(db.code_pool_list(None, rest).await.unwrap()), ["tea"]);
    let found = db.code_pool_list(Some("tea".into()), PageRequest::default()).await.unwrap().items;
    assert_eq!((found.len(), found[0].id, found[0].low_below), (1, CodePoolId(1), 5));
    assert_eq!(db.code_pool(CodePoolId(9)).await.unwrap(), None);
    assert_eq!(audited(db, "code_pool:1").await, ["code_pool.make"]);
}

async fn chunks_are_added_on_top_of_what_was_seen(db: &Db) {
    pool(db, 0, 0).await;
    db.code_pool_make(make(71, "cup", 0, None)).await.unwrap();
    for (pool, after, sizes, expected) in [
        (POOL, 0, &[3, 2][..], CodesAdded::Added(2)),
        (POOL, 0, &[1], CodesAdded::Behind),
        (CodePoolId(71), 2, &[4], CodesAdded::Added(3)),
        (POOL, 2, &[1], CodesAdded::Behind),
        (POOL, 3, &[1], CodesAdded::Added(4)),
    ] {
        assert_eq!(add(db, pool, after, sizes).await, expected, "{pool:?} after {after}");
    }
    assert_eq!(counts(db).await, (6, 0, 6));
    let known = |chunks: Vec<KnownChunk>| -> Vec<(i64, usize)> {
        chunks.iter().map(|chunk| (chunk.seq, chunk.prints.len() / 8)).collect()
    };
    assert_eq!(known(db.code_prints_list(0, 3).await.unwrap()), [(1, 3), (2, 2), (3, 4)]);
    assert_eq!(known(db.code_prints_list(3, 3).await.unwrap()), [(4, 1)]);
    let unknown =
        CodesAdd { pool: CodePoolId(9), after: 4, chunks: chunks(&[1]), signed: signed(Actor::Console, 5) };
    assert_eq!(said(db.codes_add(unknown).await), "not_found");
    db.write((), |tx, ()| {
        Box::pin(async move {
            tx.execute("UPDATE code_pools SET imported = 49999994 WHERE id = 71", params![]).await
        })
    })
    .await
    .unwrap();
    let over = CodesAdd { pool: POOL, after: 4, chunks: chunks(&[1]), signed: signed(Actor::Console, 6) };
    assert_eq!(said(db.codes_add(over).await), "codes_full");
}

async fn codes_are_given_in_order_and_once(db: &Db) {
    pool(db, 4, 0).await;
    for (ids, expected) in [
        (&[501, 502][..], &[Some(0), Some(1)][..]),
        (&[502, 503, 503, 501], &[Some(1), Some(2), Some(2), Some(0)]),
        (&[504, 505], &[Some(3), None]),
        (&[505], &[None]),
        (&[], &[]),
    ] {
        assert_eq!(take(db, ids.iter().copied()).await, expected, "{ids:?}");
    }
    assert_eq!(counts(db).await, (4, 4, 0));
    assert_eq!(add(db, POOL, 1, &[1]).await, CodesAdded::Added(2));
    assert_eq!(take(db, [505]).await, [Some(4)], "whoever waited gets the next");
    let unknown = db.codes_take(CodePoolId(9), vec![FulfilmentId(1)], T0).await;
    assert_eq!(said(unknown), "not_found");
}

async fn a_given_code_is_found_in_its_chunk(db: &Db) {
    pool(db, 0, 0).await;
    add(db, POOL, 0, &[2, 1, 3]).await;
    take(db, 0..6).await;
    for (id, chunk, place) in [(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 2, 0), (5, 2, 2)] {
        let expected = CodePlace { sealed: vec![1, chunk], place };
        assert_eq!(db.code_look(FulfilmentId(id)).await.unwrap(), Some(expected), "{id}");
    }
    assert_eq!(db.code_look(FulfilmentId(6)).await.unwrap(), None);
    for (id, there) in [(6, false), (5, true)] {
        let found = db.code_look_audited(FulfilmentId(id), signed(Actor::Console, 900 + id)).await.unwrap();
        assert_eq!(found.is_some(), there);
        let lines: &[&str] = if there { &["code.look"] } else { &[] };
        assert_eq!(audited(db, &format!("fulfilment:{id}")).await, lines);
    }
}

/// On PostgreSQL they are side by side.
async fn many_takers_get_every_code_once(db: &Db) {
    pool(db, 1_000, 0).await;
    let takers = (0..40).map(|taker| take(db, (0..30).map(move |n| taker * 100 + n)));
    let taken: Vec<u64> = join_all(takers).await.into_iter().flatten().flatten().collect();
    let different: BTreeSet<u64> = taken.iter().copied().collect();
    assert_eq!((taken.len(), different.len()), (1_000, 1_000), "each once, and none left though 1,200 asked");
    assert_eq!(counts(db).await, (1_000, 1_000, 0));
    let again = join_all((0..40).map(|taker| take(db, (0..30).map(move |n| taker * 100 + n)))).await;
    let again: BTreeSet<u64> = again.into_iter().flatten().flatten().collect();
    assert_eq!(again, different, "asked again, everybody has what they had");
}

async fn importers_who_meet_take_turns(db: &Db) {
    pool(db, 0, 0).await;
    let importer = |at: u32| async move {
        let mut after = 0;
        loop {
            let signed = signed(Actor::Console, 2_000 + i64::from(at));
            let step = CodesAdd { pool: POOL, after, chunks: chunks(&[at + 1]), signed };
            match db.codes_add(step).await.unwrap() {
                CodesAdded::Added(_) => return,
                CodesAdded::Behind => {
                    after = db.code_prints_list(0, 100).await.unwrap().last().map_or(0, |chunk| chunk.seq);
                }
            }
        }
    };
    join_all((0..10).map(importer)).await;
    assert_eq!(counts(db).await.0, 55);
    let seqs: Vec<i64> = db.code_prints_list(0, 100).await.unwrap().iter().map(|chunk| chunk.seq).collect();
    assert_eq!(seqs, (1..=10).collect::<Vec<_>>());
}

async fn a_pool_is_told_to_be_low_once(db: &Db) {
    let declared =
        JobDefault { name: "low_codes", schedule: "every 1m".into(), parameters: "{}".into(), first_due: T0 };
    db.jobs_declare(vec![declared]).await.unwrap();
    let claim = JobClaim { holder: "w".into(), now: T0, lease_ms: 60_000, run: domain::ids::RunId(1) };
    let fence = db.job_claim(claim).await.unwrap().unwrap().fence;
    pool(db, 0, 2).await;
    let told = |at: i64| {
        let fence = fence.clone();
        async move {
            let crossed = db.code_pools_list_crossed(10).await.unwrap().len();
            let set = db.code_pool_low_set(fence, POOL, signed(Actor::System, at)).await.unwrap();
            (
                crossed,
                set,
                audited(db, "code_pool:70").await.iter().filter(|line| *line == "code_pool.low").count(),
            )
        }
    };
    assert_eq!(told(81).await, (0, false, 0), "one that never had a code is being set up");
    add(db, POOL, 0, &[3]).await;
    assert_eq!(told(82).await, (0, false, 0));
    take(db, [1]).await;
    assert_eq!(told(83).await, (0, false, 0), "two are not fewer than two");
    take(db, [2]).await;
    assert_eq!(told(84).await, (1, true, 1));
    assert!(db.code_pool(POOL).await.unwrap().unwrap().low_since.is_some());
    assert_eq!(told(85).await, (0, false, 1), "once");
    add(db, POOL, 1, &[5]).await;
    assert_eq!(told(86).await, (1, true, 1), "not low any more");
    assert_eq!(db.code_pool(POOL).await.unwrap().unwrap().low_since, None);
    take(db, 10..16).await;
    assert_eq!(told(87).await, (1, true, 2));
    let late = Fence { term: fence.term - 1, ..fence.clone() };
    assert_eq!(said(db.code_pool_low_set(late, POOL, signed(Actor::System, 88)).await), "lease_lost");
}

/// Low, not low and low again within a millisecond: the second event is the first one, and stops nothing.
async fn the_same_event_in_one_moment_is_told_once(db: &Db) {
    let declared =
        JobDefault { name: "low_codes", schedule: "every 1m".into(), parameters: "{}".into(), first_due: T0 };
    db.jobs_declare(vec![declared]).await.unwrap();
    let claim = JobClaim { holder: "w".into(), now: T0, lease_ms: 60_000, run: domain::ids::RunId(1) };
    let fence = db.job_claim(claim).await.unwrap().unwrap().fence;
    let hook = WebhookCreate {
        id: WebhookId(900),
        name: "stock".into(),
        url: "https://example.com/hook".into(),
        format: HookFormat::Event,
        wants: EventFilter::parse(&["code_pool.low"]).unwrap(),
        secret: vec![1],
        once: None,
        signed: signed(Actor::Console, 900),
    };
    db.webhook_create(hook).await.unwrap();
    pool(db, 3, 5).await;
    let events = || async {
        let fence = hold_lane(db, EVENTS).await;
        db.outbox_due(fence, T0, MESSAGES_MAX).await.unwrap()
    };
    for (low_below, line, told) in [(5, 91, 1), (0, 92, 1), (5, 93, 1), (0, 94, 1), (4, 95, 1)] {
        let edit = CodePoolEdit { pool: POOL, low_below, signed: signed(Actor::Console, 1_000 + line) };
        db.code_pool_edit(edit).await.unwrap();
        assert!(db.code_pool_low_set(fence.clone(), POOL, signed(Actor::System, line)).await.unwrap());
        assert_eq!(events().await.len(), told, "{low_below}");
    }
    // With another content it is another event.
    take(db, [1]).await;
    for (low_below, line) in [(0, 96), (4, 97)] {
        let edit = CodePoolEdit { pool: POOL, low_below, signed: signed(Actor::Console, 1_000 + line) };
        db.code_pool_edit(edit).await.unwrap();
        assert!(db.code_pool_low_set(fence.clone(), POOL, signed(Actor::System, line)).await.unwrap());
    }
    assert_eq!(events().await.len(), 2);
}

async fn chunks_are_sealed_anew(db: &Db) {
    let declared =
        JobDefault { name: "reseal", schedule: "every 1m".into(), parameters: "{}".into(), first_due: T0 };
    db.jobs_declare(vec![declared]).await.unwrap();
    let claim = JobClaim { holder: "w".into(), now: T0, lease_ms: 60_000, run: domain::ids::RunId(1) };
    let fence = db.job_claim(claim).await.unwrap().unwrap().fence;
    pool(db, 0, 0).await;
    add(db, POOL, 0, &[2, 1]).await;
    let rows = db.sealed_rows(SealedColumn::Code, (0, 0), 10).await.unwrap();
    let keys: Vec<(i64, i64)> = rows.iter().map(|row| (row.user, row.id)).collect();
    assert_eq!(keys, [(70, 0), (70, 2)]);
    assert_eq!(db.sealed_rows(SealedColumn::Code, (70, 0), 10).await.unwrap(), rows[1..]);
    assert!(db.reseal(fence.clone(), rows[1].clone(), vec![2, 9]).await.unwrap());
    assert!(!db.reseal(fence, rows[1].clone(), vec![3, 9]).await.unwrap(), "it is another by now");
    take(db, 0..3).await;
    assert_eq!(db.code_look(FulfilmentId(2)).await.unwrap().unwrap().sealed, [2, 9]);
}

/// A winner whose message has been tried without a code being left, and is to be tried again much later.
async fn waiting(db: &Db, id: i64, pool: CodePoolId) {
    db.write((id, pool), |tx, (id, pool)| {
        Box::pin(async move {
            tx.execute(
                "INSERT INTO fulfilments (id, source, user_id, activity_id, prize_id, kind, amount, pool_id, state,
                                          made_ms, changed_ms)
                 VALUES ($1, 'win', 70, 500, 1, 'code', 1, $2, 'ready', $3, $3)",
                params![*id, *pool, T0 + *id],
            )
            .await?;
            tx.execute(
                "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
                 VALUES ('codes', $3, $1, $1, 4, 'fulfil', $1, '{}', $2)",
                params![*id, T0 + *id, T0 + 1_000_000 - *id],
            )
            .await
        })
    })
    .await
    .unwrap();
}

async fn an_import_calls_up_those_who_wait_in_the_order_they_won(db: &Db) {
    pool(db, 0, 0).await;
    db.code_pool_make(make(71, "cup", 0, None)).await.unwrap();
    for (id, of) in [(1, POOL), (2, CodePoolId(71)), (3, POOL)] {
        waiting(db, id, of).await;
    }
    let lane = hold_lane(db, "codes").await;
    let due = || async { db.outbox_due(lane.clone(), T0 + 10, MESSAGES_MAX).await.unwrap() };
    assert_eq!(due().await, []);
    add(db, POOL, 0, &[1]).await;
    let called: Vec<(i64, u32)> = due().await.iter().map(|message| (message.id, message.attempts)).collect();
    assert_eq!(called, [(1, 0), (3, 0)], "not those of another pool");
}

async fn retire(db: &Db, which: RetireWhich, audit_id: i64) -> CodesRetired {
    db.codes_retire(CodesRetire { pool: POOL, which, signed: signed(Actor::Console, audit_id) })
        .await
        .unwrap()
}

async fn what_is_retired_is_never_given(db: &Db) {
    pool(db, 8, 0).await;
    assert_eq!(take(db, [1]).await, [Some(0)]);
    let first = retire(db, RetireWhich::Numbers(vec![0, 1, 3]), 2_001).await;
    assert_eq!((first.retired, first.given, first.pool.left()), (2, 1, 5), "somebody has the first");
    let again = retire(db, RetireWhich::Numbers(vec![1, 3]), 2_002).await;
    assert_eq!((again.retired, again.pool.left()), (0, 5), "the same again");
    assert_eq!(take(db, [2, 3]).await, [Some(2), Some(4)], "past what is retired");
    let row = db.code_pool(POOL).await.unwrap().unwrap();
    assert_eq!((row.handed_out(), row.retired, row.passed, row.left()), (3, 0, 2, 3));
    assert_eq!(take(db, [2]).await, [Some(2)], "the same again gives the same code");
    retire(db, RetireWhich::Numbers(vec![7]), 2_003).await;
    assert_eq!(take(db, [4, 5, 6]).await, [Some(5), Some(6), None], "the last is retired");
    let chunks = db.code_chunks_list(POOL, -1, 10).await.unwrap();
    assert_eq!(chunks.iter().map(|chunk| chunk.first_number).collect::<Vec<_>>(), [0]);

    assert_eq!(add(db, POOL, 1, &[4]).await, CodesAdded::Added(2));
    assert_eq!(take(db, [6]).await, [Some(8)]);
    let rest = retire(db, RetireWhich::Rest, 2_004).await;
    assert_eq!((rest.retired, rest.pool.left()), (3, 0));
    assert_eq!(take(db, [7]).await, [None]);
    let row = db.code_pool(POOL).await.unwrap().unwrap();
    assert_eq!((row.imported, row.handed_out(), row.retired + row.passed), (12, 6, 6), "nothing is lost");
}
