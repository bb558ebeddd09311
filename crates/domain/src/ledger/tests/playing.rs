//! Activities, chances and tickets.

use super::check;

#[test]
fn a_ticket_is_taken_once_and_settled_once() {
    check(
        "open p 5                              -> open
         activity a 0..900 total 2             -> open
         ticket t a ann                        -> ticket 0..1 open
         ticket t a ann                        -> ticket 0..1 open again
         player a ann                          -> bonus 0 used 1 draws 1 open
         settle t p:1 as prize                 -> ticket 0..1 prize
         pool p                                -> 5=4+0+1
         settle t p:2 as more                  -> ticket 0..1 prize again   // the first one counts
         ticket t a ann                        -> ticket 0..1 prize again
         pool p                                -> 5=4+0+1
         player a ann                          -> bonus 0 used 1 draws 1
         settle nothing p:1                    -> ticket_unknown",
    );
}

/// A miss is a result: it consumes the ticket like a win.
#[test]
fn a_miss_consumes_the_ticket() {
    check(
        "activity a 0..900 total 1             -> open
         ticket t a ann                        -> ticket 0..1 open
         settle t - as miss                    -> ticket 0..1 miss
         ticket u a ann                        -> chances_spent 0 left (total)",
    );
}

#[test]
fn a_player_has_one_open_ticket() {
    check(
        "activity a 0..900 total 9             -> open
         ticket t a ann x 2                    -> ticket 0..2 open
         ticket u a ann                        -> ticket 0..2 open again   // that one, not a second
         ticket u a bob                        -> ticket 0..1 open
         end a                                 -> closed
         ticket v a ann                        -> ticket 0..2 open again   // what was paid for stays good
         settle t - as miss                    -> ticket 0..2 miss
         ticket v a ann                        -> ended",
    );
}

/// A clock that was ahead over midnight: whoever played tomorrow has played it, and nobody has a day twice.
#[test]
fn days_never_go_back() {
    check(
        "activity a 0..9000 total 9 day 1      -> open
         ticket a a ann on 20240131            -> ticket 0..1 open
         settle a -                            -> ticket 0..1 miss
         ticket b a ann on 20240201            -> ticket 1..2 open      // by a clock that was ahead
         settle b -                            -> ticket 1..2 miss
         ticket c a ann on 20240131            -> chances_spent 0 left (day)
         ticket d a bob on 20240131            -> ticket 0..1 open      // counted on the first of February
         settle d -                            -> ticket 0..1 miss
         ticket e a bob on 20240201            -> chances_spent 0 left (day)
         ticket f a bob on 20240202            -> ticket 1..2 open",
    );
}

#[test]
fn chances_are_spent_by_total_month_and_day() {
    check(
        "activity a 0..900 total 4 month 3 day 2  -> open
         ticket a a ann on 20240131            -> ticket 0..1 open
         settle a -                            -> ticket 0..1 miss
         ticket b a ann on 20240131 x 2        -> chances_spent 1 left (day)
         ticket c a ann on 20240131            -> ticket 1..2 open
         settle c -                            -> ticket 1..2 miss
         ticket d a ann on 20240131            -> chances_spent 0 left (day)
         ticket e a bob on 20240131            -> ticket 0..1 open        // everybody has their own
         ticket f a ann on 20240201            -> ticket 2..3 open
         settle f -                            -> ticket 2..3 miss
         ticket g a ann on 20240201            -> ticket 3..4 open
         settle g -                            -> ticket 3..4 miss
         ticket h a ann on 20240301            -> chances_spent 0 left (total)
         grant a ann 2                         -> granted 2
         ticket h a ann on 20240301 x 2        -> ticket 4..6 open
         player a ann                          -> bonus 0 used 4 draws 6 open",
    );
}

#[test]
fn ten_are_all_or_nothing() {
    check(
        "open e 25                             -> open
         activity a 0..900 total 12 entries e  -> open
         ticket t a ann x 10                   -> ticket 0..10 open
         pool e                                -> 25=15+0+10
         settle t - as miss                    -> ticket 0..10 miss
         ticket u a ann x 10                   -> chances_spent 2 left (total)
         ticket v a bob x 10                   -> ticket 0..10 open
         settle v - as miss                    -> ticket 0..10 miss
         ticket w a eve x 10                   -> entries_gone
         player a eve                          -> bonus 0 used 0 draws 0
         ticket w a eve x 5                    -> ticket 0..5 open
         pool e                                -> 25=0+0+25
         ticket y a kim                        -> entries_gone
         adjust e 1                            -> open
         ticket y a kim                        -> ticket 0..1 open",
    );
}

#[test]
fn grants_are_given_once() {
    check(
        "grant a ann 1                         -> activity_unknown
         activity a 0..900 total 0             -> open
         ticket t a ann                        -> chances_spent 0 left (total)
         grant a ann 1 #checkin                -> granted 1
         grant a ann 1 #checkin                -> granted 1 again
         grant a ann 2 #checkin                -> conflict
         grant a ann 0                         -> grant_out_of_range
         grant a ann 1000000                   -> grant_out_of_range
         ticket t a ann                        -> ticket 0..1 open
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
         ticket t a ann                        -> ticket 0..1 open
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
         ticket t a ann                        -> not_started
         at 100
         ticket t a ann                        -> ticket 0..1 open
         settle t -                            -> ticket 0..1 miss
         at 199
         ticket u a ann                        -> ticket 1..2 open
         at 200
         settle u - as late                    -> ticket 1..2 late        // taken in time
         ticket v a ann                        -> ended
         ticket w b ann                        -> activity_unknown",
    );
}

#[test]
fn pausing_stops_new_tickets_only() {
    check(
        "activity a 0..900 total 9             -> open
         ticket t a ann                        -> ticket 0..1 open
         pause a                               -> paused
         settle t - as miss                    -> ticket 0..1 miss
         ticket u a ann                        -> paused
         grant a ann 1                         -> granted 1
         resume a                              -> open
         ticket u a ann                        -> ticket 1..2 open
         end a                                 -> closed
         resume a                              -> ended",
    );
}

/// Midnight passed between the question and the ledger: ask again with the day it is.
#[test]
fn a_day_that_is_over_is_not_counted() {
    check(
        "activity a 0..900 total 9 day 1       -> open
         ticket t a ann on yesterday           -> day_stale
         ticket t a ann                        -> ticket 0..1 open
         ticket t a ann on yesterday           -> ticket 0..1 open again",
    );
}

#[test]
fn a_new_round_begins_from_nothing() {
    check(
        "activity a 0..900 total 1             -> open
         ticket t a ann                        -> ticket 0..1 open
         activity a 0..900 total 1 round 2     -> activity_round_stale   // not while it runs
         end a                                 -> closed
         activity a 0..900 total 1             -> activity_round_stale
         activity a 0..900 total 1 round 2     -> open
         player a ann                          -> bonus 0 used 0 draws 0
         ticket u a ann                        -> activity_round_stale   // it means the old one
         ticket u a ann round 2                -> ticket 0..1 open
         settle t - as old                     -> ticket 0..1 old
         player a ann                          -> bonus 0 used 1 draws 1 open
         forget                                -> 4
         settle u - as new                     -> ticket 0..1 new",
    );
}

#[test]
fn a_prize_that_is_gone_settles_nothing() {
    check(
        "open p 1                              -> open
         open q 1                              -> open
         activity a 0..900 total 9             -> open
         ticket t a ann                        -> ticket 0..1 open
         settle t p:1,q:2 as both              -> sold_out 1 left
         pool p                                -> 1=1+0+0
         freeze q                              -> frozen
         settle t q:1 as q                     -> frozen
         settle t p:1 as p                     -> ticket 0..1 p
         ticket u a ann                        -> ticket 1..2 open
         settle u p:1 as p                     -> sold_out 0 left
         settle u - as miss                    -> ticket 1..2 miss",
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
         ticket t a ann                        -> ticket 0..1 open
         ticket t a bob                        -> conflict
         ticket t a ann x 2                    -> conflict
         settle t - as miss                    -> ticket 0..1 miss
         forget                                -> 3
         ticket t a ann                        -> look_up
         settle t -                            -> look_up
         activity a 0..900 total 9 #l          -> look_up",
    );
}
