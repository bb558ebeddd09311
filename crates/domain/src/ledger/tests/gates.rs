//! Holds that are made only while activities run: the sales.

use super::check;

/// To the millisecond, by the ledger's own time.
#[test]
fn nothing_is_held_before_the_start_or_from_the_end_on() {
    check(
        "open p 5                              -> open
         activity a 100..200                   -> open
         at 99
         reserve h p:1 by ann when a           -> not_started
         pool p                                -> 5=5+0+0
         at 100
         reserve h p:1 by ann when a           -> held
         at 199
         reserve i p:1 by bob when a           -> held
         at 200
         reserve j p:1 by eve when a           -> ended
         at 150                                // a clock that goes back brings no sale back
         reserve j p:1 by eve when a           -> ended
         reserve k p:1 by eve                  -> held                 // who names no activity asks the stock alone
         pool p                                -> 5=2+3+0",
    );
}

#[test]
fn a_pause_a_stop_and_an_end_are_exact() {
    check(
        "open p 9                              -> open
         activity a 0..900                     -> open
         reserve h p:1 when a                  -> held
         pause a                               -> paused
         reserve i p:1 when a                  -> paused
         reserve h p:1 when a                  -> held again           // what was held stays held
         resume a                              -> open
         reserve i p:1 when a                  -> held
         halt                                  -> halted
         reserve j p:1 when a                  -> halted
         reserve k p:1                         -> held                 // the switch is for activities
         go                                    -> going
         reserve j p:1 when a                  -> held
         end a                                 -> closed
         reserve l p:1 when a                  -> ended
         confirm h                             -> confirmed            // and can be paid when it is over
         pool p                                -> 9=5+3+1",
    );
}

#[test]
fn a_hold_is_of_one_round_and_one_version() {
    check(
        "open p 9                              -> open
         reserve h p:1 when a                  -> activity_unknown
         activity a 0..900                     -> open
         reserve h p:1 when a/2/1              -> activity_round_stale
         reserve h p:1 when a/1/2              -> version_stale
         reserve h p:1 when a/1/1              -> held
         terms a 0..900 version 2              -> open                 // another price, say
         reserve i p:1 when a/1/1              -> version_stale
         reserve i p:1 when a/1/2              -> held
         reserve h p:1 when a/1/2              -> held again           // the same hold, whatever is in place now
         reserve h p:1                         -> conflict
         reserve h p:1 when b                  -> conflict
         end a                                 -> closed
         activity a 0..900 round 2 version 2   -> open
         reserve j p:1 when a/1/2              -> activity_round_stale
         reserve j p:1 when a/2/2              -> held
         pool p                                -> 9=6+3+0",
    );
}

/// A cart: one closed sale keeps everything on the shelf.
#[test]
fn all_gates_or_nothing() {
    check(
        "open p 5                              -> open
         open q 5                              -> open
         activity a 0..900                     -> open
         activity b 500..900                   -> open
         reserve h p:1,q:1 by ann when a,b     -> not_started
         pool p                                -> 5=5+0+0
         at 500
         reserve h p:1,q:1 by ann when a,b     -> held
         reserve i p:1,q:9 by ann when a,b     -> sold_out 4 left
         pool p                                -> 5=4+1+0
         pool q                                -> 5=4+1+0
         reserve j p:1 when a,a,b,b,a          -> too_many_lines",
    );
}

/// The shape of a command is judged first, then the activities, then the stock.
#[test]
fn what_is_told_first() {
    check(
        "open p 1 max 1                        -> open
         activity a 100..200                   -> open
         reserve h - when a                    -> no_lines
         reserve h p:1 ttl 1 when a            -> ttl_out_of_range
         reserve h p:9 by ann when a           -> not_started
         at 100
         reserve h p:9 by ann when a           -> limit_reached has 0
         reserve h p:9 when a                  -> sold_out 1 left
         reserve h p:1 by ann when a           -> held
         cancel h                              -> cancelled
         forget                                -> 3
         at 200
         reserve h p:1 by ann when a           -> look_up",
    );
}
