//! The life of a hold.

use super::check;

#[test]
fn reserve_and_confirm() {
    check(
        "open p 10                      -> open
         reserve a p:3                  -> held
         pool p                         -> 10=7+3+0
         confirm a                      -> confirmed
         pool p                         -> 10=7+0+3",
    );
}

#[test]
fn a_partial_confirmation_returns_the_rest() {
    check(
        "open p 10                      -> open
         open q 5                       -> open
         reserve a p:3,q:2 by ann       -> held
         confirm a p:1                  -> confirmed
         pool p                         -> 10=9+0+1
         pool q                         -> 5=5+0+0",
    );
}

#[test]
fn a_confirmation_takes_no_more_than_is_held() {
    check(
        "open p 10                      -> open
         open q 10                      -> open
         reserve a p:3                  -> held
         confirm a p:4                  -> not_held
         confirm a p:2,p:2              -> not_held
         confirm a q:1                  -> not_held
         confirm a -                    -> no_lines
         confirm a p:2,p:1              -> confirmed
         pool p                         -> 10=7+0+3",
    );
}

#[test]
fn cancelling_returns_everything() {
    check(
        "open p 10                      -> open
         reserve a p:3                  -> held
         cancel a                       -> cancelled
         pool p                         -> 10=10+0+0
         confirm a                      -> already_cancelled
         cancel a                       -> cancelled again
         pool p                         -> 10=10+0+0",
    );
}

#[test]
fn a_hold_ends_once() {
    check(
        "open p 10                      -> open
         reserve a p:3                  -> held
         confirm a                      -> confirmed
         cancel a                       -> already_confirmed
         extend a 500                   -> already_confirmed
         confirm a                      -> confirmed again
         confirm a p:1                  -> already_confirmed
         pool p                         -> 10=7+0+3
         confirm b                      -> hold_unknown
         extend b 500                   -> hold_unknown",
    );
}

#[test]
fn expiry_frees_late_and_never_early() {
    check(
        "open p 10                      -> open
         reserve a p:3 by ann ttl 100   -> held
         at 99
         expire                         -> nothing_due
         at 100                         // due: too late to confirm, too early to be swept
         confirm a                      -> expired
         extend a 900                   -> expired
         expire                         -> nothing_due
         pool p                         -> 10=7+3+0
         at 128
         expire                         -> expired
         expire                         -> nothing_due
         pool p                         -> 10=10+0+0
         confirm a                      -> expired
         cancel a                       -> expired",
    );
}

#[test]
fn a_hold_that_is_over_is_over_for_every_command() {
    check(
        "open p 10                      -> open
         reserve a p:3 ttl 100          -> held
         at 99
         lapse a                        -> as it was
         at 100
         cancel a                       -> expired
         confirm a                      -> expired
         extend a 900                   -> expired
         pool p                         -> 10=7+3+0
         lapse a                        -> expired       // before anybody is told
         lapse a                        -> as it was
         reserve a p:3 ttl 100          -> expired again
         pool p                         -> 10=10+0+0
         at 50                          // and after a restart with a clock that is behind
         restart
         cancel a                       -> expired
         confirm a                      -> expired
         expire                         -> nothing_due",
    );
}

/// A clock that was ahead: nothing new while nobody knows the time, and then as if nothing had been.
#[test]
fn a_clock_that_was_ahead_is_followed_back() {
    check(
        "open p 10                      -> open
         reserve a p:1 ttl 1000         -> held
         at 3600000
         expire                         -> expired
         reserve b p:1 ttl 1000         -> held
         at 10
         reserve c p:1 ttl 1000         -> clock_behind
         reserve b p:1 ttl 1000         -> held again
         confirm b p:1                  -> confirmed
         reserve d p:1 ttl 1000         -> clock_behind
         at 3595000                     // no more behind than a clock may be
         reserve d p:1 ttl 1000         -> held
         at 20
         put back
         reserve c p:1 ttl 1000         -> held
         at 1019
         confirm c                      -> confirmed
         reserve e p:1 ttl 100          -> held
         at 1119
         confirm e                      -> expired
         confirm d                      -> confirmed     // it was told a later end
         confirm a                      -> expired       // and what ended stays ended
         restart
         confirm e                      -> expired
         expire                         -> nothing_due
         at 1152
         expire                         -> expired
         pool p                         -> 10=7+0+3",
    );
}

#[test]
fn extending_moves_the_end_up_to_a_cap() {
    check(
        "open p 10                      -> open
         reserve a p:1 ttl 100          -> held
         extend a 50                    -> held again     // never earlier
         extend a 4000                  -> held
         extend a 4000                  -> held again
         at 3999
         expire                         -> nothing_due
         extend a 5001                  -> extend_too_far
         extend a 5000                  -> held
         at 4999
         confirm a                      -> confirmed
         pool p                         -> 10=9+0+1",
    );
}

#[test]
fn several_lines_happen_whole_or_not_at_all() {
    check(
        "open p 10                      -> open
         open q 1                       -> open
         reserve a p:3,q:2              -> sold_out 1 left
         pool p                         -> 10=10+0+0
         reserve a p:3,r:1              -> pool_unknown
         pool p                         -> 10=10+0+0
         reserve a p:3,q:1              -> held
         pool p                         -> 10=7+3+0
         pool q                         -> 1=0+1+0",
    );
}

#[test]
fn two_lines_on_one_pool_are_summed() {
    check(
        "open p 3                       -> open
         reserve a p:2,p:2              -> sold_out 3 left
         reserve a p:2,p:1              -> held
         pool p                         -> 3=0+3+0
         cancel a                       -> cancelled
         pool p                         -> 3=3+0+0",
    );
}

#[test]
fn limits_per_owner_are_part_of_the_same_step() {
    check(
        "open p 10 max 2                -> open
         reserve a p:1 by ann           -> held
         reserve b p:2 by ann           -> limit_reached has 1
         reserve b p:1 by ann           -> held
         reserve c p:1 by ann           -> limit_reached has 2
         reserve c p:2 by bob           -> held
         confirm a                      -> confirmed
         reserve d p:1 by ann           -> limit_reached has 2   // confirming does not give the limit back
         cancel b                       -> cancelled
         reserve d p:1 by ann           -> held                  // cancelling does
         reserve e p:5                  -> held                  // nobody's: no limit
         pool p                         -> 10=1+8+1",
    );
}

#[test]
fn expiry_and_partial_confirmation_give_the_limit_back() {
    check(
        "open p 10 max 3                -> open
         reserve a p:3 by ann ttl 50    -> held
         at 200
         expire                         -> expired
         reserve b p:3 by ann           -> held
         confirm b p:1                  -> confirmed
         reserve c p:3 by ann           -> limit_reached has 1
         reserve c p:2 by ann           -> held",
    );
}

#[test]
fn bounds_have_names() {
    check(
        "open p 10                      -> open
         reserve a p:1 ttl 9            -> ttl_out_of_range
         reserve a p:1 ttl 1001         -> ttl_out_of_range
         reserve a -                    -> no_lines
         reserve a p:1,p:1,p:1,p:1,p:1  -> too_many_lines
         reserve a p:1000000000,p:1     -> quantity_too_large
         reserve a p:11                 -> sold_out 10 left",
    );
}

#[test]
fn the_clock_never_goes_back() {
    check(
        "open p 10                      -> open
         at 1000
         reserve a p:1 ttl 100          -> held
         at 0                           // the machine's clock jumped back: the hold keeps its end
         reserve b p:1 ttl 100          -> held
         at 1099
         confirm a                      -> confirmed
         at 1100
         confirm b                      -> expired",
    );
}
