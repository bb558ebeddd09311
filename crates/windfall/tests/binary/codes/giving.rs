//! Many codes, many takers: everybody has one code, nobody has another's, and an import that stops goes on.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use domain::ids::{CodePoolId, FulfilmentId};
use domain::redeem::SheetKind;
use engine::World;
use engine::fulfilment::redeem_codes::{CodesImport, code_of, code_pool_find, code_pool_make, codes_import};
use futures::future::join_all;
use store::model::{Actor, CodeOutcome};

use crate::activities::world::{Stage, T0};

const CODES: u32 = 100_000;
const TAKERS: i64 = 10_000;
const BATCH: i64 = 250;

fn code(n: u32) -> String {
    format!("TEA-{:016x}", u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn text() -> Vec<u8> {
    let mut text = String::new();
    for n in 0..CODES {
        writeln!(text, "{}", code(n)).unwrap();
    }
    text.into_bytes()
}

async fn pool(world: &World) -> CodePoolId {
    let signed = world.audit_stamp(Actor::Console, "", "test");
    code_pool_make(world, signed, None, "tea", 0).await.unwrap().id
}

async fn import(world: &World, pool: CodePoolId) -> CodesImport {
    let signed = world.audit_stamp(Actor::Console, "", "test");
    codes_import(world, signed, pool, SheetKind::List, text()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_thousand_codes_for_ten_thousand_takers() {
    let stage = Stage::new().await;
    let world = &stage.world;
    let pool = pool(world).await;
    let imported = import(world, pool).await;
    assert_eq!((imported.added, imported.already, imported.repeated), (u64::from(CODES), 0, 0));
    // Every batch is asked for twice at once, as a handler does that does not know whether it was done.
    let batches = (0..TAKERS / BATCH).chain(0..TAKERS / BATCH).map(|batch| {
        let ids = (batch * BATCH..(batch + 1) * BATCH).map(FulfilmentId).collect();
        stage.db.codes_take(pool, ids, T0)
    });
    for batch in join_all(batches).await {
        assert!(batch.unwrap().iter().all(|taken| matches!(taken, CodeOutcome::Code(_))));
    }
    let row = code_pool_find(world, pool).await.unwrap();
    assert_eq!((row.given, row.left()), (TAKERS as u64, u64::from(CODES) - TAKERS as u64));
    let mut seen = HashSet::new();
    for id in 0..TAKERS {
        assert!(seen.insert(code_of(world, FulfilmentId(id)).await.unwrap().unwrap()), "{id} has another's");
    }
    let first: HashSet<String> = (0..u32::try_from(TAKERS).unwrap()).map(code).collect();
    assert_eq!(seen, first, "they are given in the order of the file");
    assert_eq!(code_of(world, FulfilmentId(TAKERS)).await.unwrap(), None);
}

/// The process goes between two steps of an import: what was committed is there, and the rest comes with the next.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_that_stopped_is_repeated_and_adds_what_is_missing() {
    let stage = Stage::new().await;
    let pool = pool(&stage.world).await;
    let stage = Arc::new(stage);
    let importing = tokio::spawn({
        let stage = Arc::clone(&stage);
        async move { import(&stage.world, pool).await.added }
    });
    while code_pool_find(&stage.world, pool).await.unwrap().imported == 0 {
        tokio::task::yield_now().await;
    }
    importing.abort();
    let _ = importing.await;
    let stage = Arc::into_inner(stage).unwrap().restarted().await;
    let there = code_pool_find(&stage.world, pool).await.unwrap().imported;
    assert!(there > 0 && there.is_multiple_of(1_000), "whole chunks: {there}");
    let rest = import(&stage.world, pool).await;
    assert_eq!((rest.added, rest.already), (u64::from(CODES) - there, there));
    assert_eq!(rest.pool.imported, u64::from(CODES));
    let again = import(&stage.world, pool).await;
    assert_eq!((again.added, again.already, again.already_lines.len()), (0, u64::from(CODES), 100));
}
