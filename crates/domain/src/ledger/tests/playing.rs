//! Activities, chances and tickets. Most rows are entries to a raffle, which are paid for like draws; what draws do
//! beyond that is in `drawing.rs`.

use super::check;

#[test]
fn a_ticket_is_made_once() {
    check(
        "activity a 0..900 total 2             -> open
         enter t a ann                         -> entered 0..1
         enter t a ann                         -> entered 0..1 again
         player a ann                          -> bonus 0 used 1 draws 1
         enter u a ann                         -> entered 1..2
         enter t a ann                         -> entered 0..1 again
         enter v a ann                         -> chances_spent 0 left (total)
         end a                                 -> closed
         enter t a ann                         -> entered 0..1 again      // what was paid for stays good
         enter v a ann                         -> ended",
    );
}

/// A clock that was ahead over midnight: whoever played tomorrow has played it, and nobody has a day twice.
#[test]
fn days_never_go_back() {
    check(
        "activity a 0..9000 total 9 day 1      -> open
         enter a a ann on 20240131             -> entered 0..1
         enter b a ann on 20240201             -> entered 1..2          // by a clock that was ahead
         enter c a ann on 20240131             -> chances_spent 0 left (day)
         enter d a bob on 20240131             -> entered 0..1          // counted on the first of February
         enter e a bob on 20240201             -> chances_spent 0 left (day)
         enter f a bob on 20240202             -> entered 1..2",
    );
}

#[test]
fn chances_are_spent_by_total_month_and_day() {
    check(
        "activity a 0..900 total 4 month 3 day 2  -> open
         enter a a ann on 20240131             -> entered 0..1
         enter b a ann on 20240131 x 2         -> chances_spent 1 left (day)
         enter c a ann on 20240131             -> entered 1..2
         enter d a ann on 20240131             -> chances_spent 0 left (day)
         enter e a bob on 20240131             -> entered 0..1            // everybody has their own
         enter f a ann on 20240201             -> entered 2..3
         enter g a ann on 20240201             -> entered 3..4
         enter h a ann on 20240301             -> chances_spent 0 left (total)
         grant a ann 2                         -> granted 2
         enter h a ann on 20240301 x 2         -> entered 4..6
         player a ann                          -> bonus 0 used 4 draws 6",
    );
}

#[test]
fn ten_are_all_or_nothing() {
    check(
        "open e 25                             -> open
         activity a 0..900 total 12 entries e  -> open
         enter t a ann x 10                    -> entered 0..10
         pool e                                -> 25=15+0+10
         enter u a ann x 10                    -> chances_spent 2 left (total)
         enter v a bob x 10                    -> entered 0..10
         enter w a eve x 10                    -> entries_gone
         player a eve                          -> bonus 0 used 0 draws 0
         enter w a eve x 5                     -> entered 0..5
         pool e                                -> 25=0+0+25
         enter y a kim                         -> entries_gone
         adjust e 1                            -> open
         enter y a kim                         -> entered 0..1",
    );
}

#[test]
fn grants_are_given_once() {
    check(
        "grant a ann 1                         -> activity_unknown
         activity a 0..900 total 0             -> open
         enter t a ann                         -> chances_spent 0 left (total)
         grant a ann 1 #checkin                -> granted 1
         grant a ann 1 #checkin                -> granted 1 again
         grant a ann 2 #checkin                -> conflict
         grant a ann 0                         -> grant_out_of_range
         grant a ann 1000000                   -> grant_out_of_range
         enter t a ann                         -> entered 0..1
         grant a ann 1 #checkin                -> granted 0 again
         end a                                 -> closed
         grant a ann 1 #late                   -> ended",
    );
}

#[test]
fn granted_chances_are_taken_back_while_they_are_not_used() {
    check(
        "revoke a ann 1                        -> activity_unknown
         activity a 0..900 total 0             -> open
         revoke a ann 1                        -> revoke_out_of_range
         grant a ann 3 #checkin                -> granted 3
         revoke a ann 0                        -> revoke_out_of_range
         revoke a ann 4                        -> revoke_out_of_range
         revoke a bob 1                        -> revoke_out_of_range
         revoke a ann 1 #back                  -> granted 2
         revoke a ann 1 #back                  -> granted 2 again
         revoke a ann 2 #back                  -> conflict
         revoke a ann 3 #checkin               -> conflict
         enter t a ann                         -> entered 0..1
         revoke a ann 2                        -> revoke_out_of_range
         revoke a ann 1                        -> granted 0
         end a                                 -> closed
         revoke a ann 1 #late                  -> ended",
    );
}

#[test]
fn a_window_opens_and_closes_exactly() {
    check(
        "activity a 100..200 total 9           -> open
         at 99
         enter t a ann                         -> not_started
         at 100
         enter t a ann                         -> entered 0..1
         at 199
         enter u a ann                         -> entered 1..2
         at 200
         enter u a ann                         -> entered 1..2 again      // made in time
         enter v a ann                         -> ended
         enter w b ann                         -> activity_unknown",
    );
}

#[test]
fn pausing_stops_new_tickets_only() {
    check(
        "activity a 0..900 total 9             -> open
         enter t a ann                         -> entered 0..1
         pause a                               -> paused
         enter t a ann                         -> entered 0..1 again
         enter u a ann                         -> paused
         grant a ann 1                         -> granted 1
         resume a                              -> open
         enter u a ann                         -> entered 1..2
         end a                                 -> closed
         resume a                              -> ended",
    );
}

/// Midnight passed between the question and the ledger: ask again with the day it is.
#[test]
fn a_day_that_is_over_is_not_counted() {
    check(
        "activity a 0..900 total 9 day 1       -> open
         enter t a ann on yesterday            -> day_stale
         enter t a ann                         -> entered 0..1
         enter t a ann on yesterday            -> entered 0..1 again",
    );
}

#[test]
fn a_new_round_begins_from_nothing() {
    check(
        "activity a 0..900 total 1             -> open
         enter t a ann                         -> entered 0..1
         activity a 0..900 total 1 round 2     -> activity_round_stale   // not while it runs
         end a                                 -> closed
         activity a 0..900 total 1             -> activity_round_stale
         activity a 0..900 total 1 round 2     -> open
         player a ann                          -> bonus 0 used 0 draws 0
         enter u a ann                         -> activity_round_stale   // it means the old one
         enter u a ann round 2                 -> entered 0..1
         enter t a ann                         -> entered 0..1 again     // of the old round
         player a ann                          -> bonus 0 used 1 draws 1
         forget                                -> 5
         enter t a ann                         -> look_up",
    );
}

#[test]
fn ids_do_not_cross() {
    check(
        "open p 9 #k                           -> open
         activity a 0..900 total 9 #k          -> conflict
         activity a 0..900 total 9 #l          -> open
         activity a 0..900 total 9 #l          -> open again
         activity a 0..900 total 8 #l          -> conflict
         adjust p 1 #l                         -> conflict
         enter t a ann                         -> entered 0..1
         enter t a bob                         -> conflict
         enter t a ann x 2                     -> conflict
         forget                                -> 3
         enter t a ann                         -> look_up
         activity a 0..900 total 9 #l          -> look_up",
    );
}
