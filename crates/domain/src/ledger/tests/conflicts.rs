//! Same id, same answer.

use super::check;

#[test]
fn the_same_reservation_answers_the_same() {
    check(
        "open p 10                      -> open
         reserve a p:3 by ann           -> held
         reserve a p:3 by ann           -> held again
         pool p                         -> 10=7+3+0
         confirm a                      -> confirmed
         reserve a p:3 by ann           -> confirmed again
         pool p                         -> 10=7+0+3",
    );
}

#[test]
fn the_same_id_with_another_body_is_a_conflict() {
    check(
        "open p 10                      -> open
         open q 10                      -> open
         reserve a p:3 by ann ttl 100   -> held
         reserve a p:4 by ann ttl 100   -> conflict
         reserve a q:3 by ann ttl 100   -> conflict
         reserve a p:3 by bob ttl 100   -> conflict
         reserve a p:3 ttl 100          -> conflict
         reserve a p:3 by ann ttl 101   -> conflict
         reserve a p:3,q:1 by ann       -> conflict
         cancel a                       -> cancelled
         reserve a p:4 by ann           -> conflict
         pool p                         -> 10=10+0+0",
    );
}

#[test]
fn a_refusal_is_not_remembered() {
    check(
        "open p 1                       -> open
         reserve a p:2                  -> sold_out 1 left
         adjust p 1                     -> open
         reserve a p:2                  -> held",
    );
}

#[test]
fn pool_commands_have_ids_too() {
    check(
        "open p 10 #1                   -> open
         open p 10 #1                   -> open again
         open p 11 #1                   -> conflict
         adjust p 5 #2                  -> open
         adjust p 5 #2                  -> open again
         adjust p 6 #2                  -> conflict
         freeze p #2                    -> conflict
         pool p                         -> 15=15+0+0
         freeze p #3                    -> frozen
         thaw p #4                      -> open
         freeze p #3                    -> open again       // told once, done once
         pool p                         -> 15=15+0+0",
    );
}

#[test]
fn a_cancelled_id_never_comes_alive() {
    check(
        "open p 10                      -> open
         cancel a                       -> cancelled        // before it arrived
         cancel a                       -> already_cancelled
         reserve a p:3                  -> already_cancelled
         confirm a                      -> already_cancelled
         extend a 500                   -> already_cancelled
         pool p                         -> 10=10+0+0",
    );
}

#[test]
fn cancelling_what_never_was_has_a_cap() {
    check(
        "open p 10                      -> open
         cancel a                       -> cancelled
         cancel b                       -> cancelled
         cancel c                       -> tombstones_full
         forget                         -> 3
         cancel c                       -> cancelled",
    );
}
