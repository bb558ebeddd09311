//! Pools: rounds, stock, states.

use super::check;

#[test]
fn stock_changes_by_deltas_only() {
    check(
        "open p 10                      -> open
         reserve a p:4                  -> held
         adjust p 5                     -> open
         pool p                         -> 15=11+4+0
         adjust p -11                   -> open
         pool p                         -> 4=0+4+0
         adjust p -1                    -> not_free
         cancel a                       -> cancelled
         pool p                         -> 4=4+0+0
         adjust p 9000000000000000      -> total_too_large
         open q 9000000000000000        -> total_too_large
         adjust q 1                     -> pool_unknown",
    );
}

#[test]
fn a_restock_is_sellable_at_once() {
    check(
        "open p 1                       -> open
         reserve a p:1                  -> held
         reserve b p:1                  -> sold_out 0 left
         adjust p 1                     -> open
         reserve b p:1                  -> held",
    );
}

#[test]
fn a_frozen_pool_gives_nothing_new_and_lets_holds_end() {
    check(
        "open p 10                      -> open
         reserve a p:1                  -> held
         reserve b p:1                  -> held
         freeze p                       -> frozen
         reserve c p:1                  -> frozen
         adjust p 1                     -> frozen
         confirm a                      -> confirmed
         cancel b                       -> cancelled
         thaw p                         -> open
         reserve c p:1                  -> held
         pool p                         -> 11=9+1+1",
    );
}

#[test]
fn a_closed_pool_stays_closed_until_its_next_round() {
    check(
        "open p 10                      -> open
         close p                        -> closed
         reserve a p:1                  -> closed
         adjust p 1                     -> closed
         thaw p                         -> closed
         limit p 1                      -> closed
         open p 5 round 1               -> round_stale
         open p 5 round 3               -> round_stale
         open p 5 round 2               -> open
         pool p                         -> 5=5+0+0
         open p 5 round 3               -> round_stale      // still running",
    );
}

#[test]
fn an_old_round_never_credits_the_next() {
    check(
        "open p 10                      -> open
         reserve a p:4 by ann           -> held
         reserve b p:3                  -> held
         reserve c p:2 ttl 100          -> held
         close p                        -> closed
         open p 5 round 2 max 1         -> open
         reserve d p:1 by ann           -> held             // a new round counts anew
         cancel a                       -> cancelled
         confirm b                      -> confirmed
         at 500
         expire                         -> expired
         expire                         -> expired
         pool p                         -> 5=5+0+0
         forget                         -> 7
         reserve e p:5                  -> held
         pool p                         -> 5=0+5+0",
    );
}

/// What is counted per owner always fits its counter, also where the pool itself sets no limit.
#[test]
fn an_owner_never_has_more_than_can_be_counted() {
    check(
        "open p 9000000000              -> open
         reserve a p:1000000000 by ann  -> held
         reserve b p:1000000000 by ann  -> held
         reserve c p:1000000000 by ann  -> held
         reserve d p:1000000000 by ann  -> held
         reserve e p:294967296 by ann   -> limit_reached has 4000000000
         reserve e p:294967295 by ann   -> held
         reserve f p:1 by ann           -> limit_reached has 4294967295
         limit p 4294967295             -> open
         reserve f p:1 by ann           -> limit_reached has 4294967295
         reserve f p:1 by bob           -> held
         cancel a                       -> cancelled
         cancel b                       -> cancelled
         cancel c                       -> cancelled
         cancel d                       -> cancelled
         cancel e                       -> cancelled
         pool p                         -> 9000000000=8999999999+1+0",
    );
}

#[test]
fn a_lower_limit_leaves_what_is_there() {
    check(
        "open p 10                      -> open
         reserve a p:3 by ann           -> held
         limit p 2                      -> open
         reserve b p:1 by ann           -> limit_reached has 3
         confirm a                      -> confirmed
         limit p 0                      -> open
         reserve b p:1 by ann           -> held",
    );
}
