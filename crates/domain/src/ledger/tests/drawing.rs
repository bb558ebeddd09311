//! Draws: the ticket, its outcome, and everything that counts on it afterwards. Each rule is told again after
//! a restart, when the ledger has only folded what was decided.

use super::check;
use super::decks;
use crate::ids::{ActivityId, UserId};
use crate::ledger::play::{Day, Draw, Draws, PlayerFacts};
use crate::ledger::{Command, CommandDigest, Key, PoolId};
use crate::lottery::random::ClientValue;
use crate::time::Timestamp;

#[test]
fn a_draw_takes_the_chance_the_entry_and_the_prize_at_once() {
    check(
        "open p 2                              -> open
         open e 9                              -> open
         activity a 0..900 total 3 entries e plays gold  -> open
         draw t a ann                          -> drawn 0..1 gold
         draw t a ann                          -> drawn 0..1 gold again
         pool p                                -> 2=1+0+1
         pool e                                -> 9=8+0+1
         player a ann                          -> bonus 0 used 1 draws 1
         draw t a ann x 2                      -> conflict
         draw u a ann                          -> drawn 1..2 gold       // another click, another draw
         draw v a ann                          -> drawn 2..3 -          // nothing is left: a miss is a result
         pool p                                -> 2=0+0+2
         draw w a ann                          -> chances_spent 0 left (total)
         forget                                -> 6
         draw t a ann                          -> look_up",
    );
}

#[test]
fn ten_in_a_row_see_each_other() {
    check(
        "open p 3                              -> open
         activity a 0..900 total 20 plays gold -> open
         draw t a ann x 5                      -> drawn 0..5 gold gold gold - -
         pool p                                -> 3=0+0+3
         draw u a ann x 10                     -> drawn 5..15 - - - - - - - - - -
         draw v a ann x 10                     -> chances_spent 5 left (total)",
    );
}

#[test]
fn what_others_do_with_a_pool_is_seen_by_the_next_draw() {
    check(
        "activity a 0..900 total 20 plays gold -> open
         draw a a ann                          -> drawn 0..1 -          // the pool is not there yet
         open p 1                              -> open
         draw b a ann                          -> drawn 1..2 gold
         draw c a ann                          -> drawn 2..3 -
         adjust p 2                            -> open
         draw d a ann                          -> drawn 3..4 gold
         reserve h p:1                         -> held
         draw e a ann                          -> drawn 4..5 -
         cancel h                              -> cancelled
         freeze p                              -> frozen
         draw f a ann                          -> drawn 5..6 -
         thaw p                                -> open
         draw g a ann                          -> drawn 6..7 gold
         close p                               -> closed
         open p 1 round 2                      -> open
         draw i a ann                          -> drawn 7..8 gold
         restart
         adjust p 1                            -> open
         draw j a ann                          -> drawn 8..9 gold
         pool p                                -> 2=0+0+2",
    );
}

/// Nobody should share pools; whoever does is not oversold.
#[test]
fn pools_that_are_shared_are_shared() {
    check(
        "open p 5                              -> open
         activity a 0..900 total 20 plays gold -> open
         activity b 0..900 total 20 plays gold -> open
         draw a a ann                          -> drawn 0..1 gold
         draw b b ann                          -> drawn 0..1 gold
         draw c a ann x 2                      -> drawn 1..3 gold gold
         draw d b ann x 2                      -> drawn 1..3 gold -
         draw e a ann                          -> drawn 3..4 -
         adjust p 3                            -> open
         activity c 0..900 total 20 entries p plays gold -> open
         draw f c ann                          -> drawn 0..1 gold       // an entry and a prize
         draw g c ann                          -> entries_gone          // it has one of the two
         pool p                                -> 8=1+0+7",
    );
}

#[test]
fn a_prize_is_withdrawn_and_restored() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 20 plays gold -> open
         draw a a ann                          -> drawn 0..1 gold
         withdraw a 1                          -> open
         draw b a ann                          -> drawn 1..2 -
         restart
         draw c a ann                          -> drawn 2..3 -
         restore a 1                           -> open
         draw d a ann                          -> drawn 3..4 gold
         withdraw b 1                          -> activity_unknown",
    );
}

#[test]
fn wins_are_capped_per_player() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays capped -> open
         draw a a ann from capped x 3          -> drawn 0..3 gold gold -
         draw b a ann from capped              -> drawn 3..4 -
         restart
         draw c a ann from capped              -> drawn 4..5 -
         draw d a bob from capped              -> drawn 0..1 gold",
    );
}

/// An hour ends at 3,600,000 ms.
#[test]
fn hours_begin_anew() {
    check(
        "open p 9                              -> open
         activity a 0..9000000 total 9 plays hourly -> open
         at 3599998
         draw a a ann from hourly x 3          -> drawn 0..3 gold gold -
         restart
         draw b a ann from hourly              -> drawn 3..4 -
         at 3600000
         draw c a ann from hourly              -> drawn 4..5 gold
         restart
         draw d a ann from hourly x 2          -> drawn 5..7 gold -",
    );
}

#[test]
fn units_are_released_over_time() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays scheduled -> open
         draw a a ann from scheduled x 2       -> drawn 0..2 gold -
         restart
         at 499
         draw b a ann from scheduled           -> drawn 2..3 -
         at 500
         draw c a ann from scheduled x 3       -> drawn 3..6 gold gold -",
    );
}

#[test]
fn money_ends_for_good_or_for_the_day() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays budget -> open
         draw a a ann from budget x 3          -> drawn 0..3 gold gold -
         restart
         draw b a ann from budget on 20240102  -> drawn 3..4 -
         activity b 0..900 total 9 plays daily -> open
         draw c b ann from daily x 2           -> drawn 0..2 gold -
         restart
         draw d b ann from daily               -> drawn 2..3 -
         draw e b ann from daily on 20240102   -> drawn 3..4 gold",
    );
}

#[test]
fn misses_are_counted_towards_pity() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays pity  -> open
         draw a a ann from pity                -> drawn 0..1 -
         restart
         draw b a ann from pity x 5            -> drawn 1..6 - gold - - gold",
    );
}

#[test]
fn the_fallback_ends_with_its_points() {
    check(
        "open p 1                              -> open
         activity a 0..900 total 9 plays fallback -> open
         draw a a ann from fallback x 2        -> drawn 0..2 gold silver
         restart
         draw b a ann from fallback x 2        -> drawn 2..4 silver -",
    );
}

#[test]
fn an_unlock_counts_draws_of_the_day() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays locked -> open
         draw a a ann from locked x 2          -> drawn 0..2 - -
         restart
         draw b a ann from locked              -> drawn 2..3 gold
         draw c a ann from locked on 20240102  -> drawn 3..4 -",
    );
}

/// The consolation obeys stock rules like anything else; here it has none to obey.
#[test]
fn the_block_list_comes_with_the_draw() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays consoled -> open
         draw a a ann from consoled            -> drawn 0..1 gold
         draw b a ann from consoled blocked    -> drawn 1..2 silver
         pool p                                -> 9=8+0+1",
    );
}

#[test]
fn a_draw_is_decided_with_what_is_published() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays gold  -> open
         draw a a ann version 2                -> version_stale         // not yet
         draw a a ann from capped              -> version_stale         // another strategy under the same number
         draw a a ann                          -> drawn 0..1 gold
         terms a 0..900 total 9 plays capped version 1 -> version_stale
         terms a 0..900 total 9 plays capped version 2 #k -> open
         terms a 0..900 total 9 plays capped version 2 #k -> open again
         draw b a ann                          -> version_stale         // no longer
         draw a a ann                          -> drawn 0..1 gold again
         draw b a ann from capped version 2    -> drawn 1..2 gold
         terms a 0..900 total 9 plays capped version 3 round 2 -> activity_round_stale
         end a                                 -> closed
         draw c a ann from capped version 2    -> ended
         terms a 0..900 total 9 plays capped version 3 -> ended
         activity a 0..900 total 1 plays gold version 2 round 2 -> open
         draw b a ann round 2                  -> drawn 1..2 gold again  // the same id, the same answer, whatever the round
         draw c a ann version 2 round 1        -> activity_round_stale
         draw c a ann version 2 round 2        -> drawn 0..1 gold",
    );
}

#[test]
fn the_players_own_value_is_fixed_by_the_first_ticket() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays gold  -> open
         draw a a ann with ab                  -> drawn 0..1 gold
         draw b a ann with cd                  -> client_value_fixed
         draw b a ann with ab                  -> drawn 1..2 gold
         restart
         draw c a ann with cd                  -> client_value_fixed
         draw c a ann                          -> drawn 2..3 gold
         draw a a ann with cd                  -> conflict
         draw d a bob                          -> drawn 0..1 gold
         draw e a bob with ab                  -> client_value_fixed    // zero, and it stays",
    );
}

#[test]
fn one_switch_stops_everything() {
    check(
        "open p 9                              -> open
         activity a 0..900 total 9 plays gold  -> open
         draw a a ann                          -> drawn 0..1 gold
         halt #h                               -> halted
         halt #h                               -> halted again
         draw b a ann                          -> halted
         draw a a ann                          -> drawn 0..1 gold again  // what was given stays given
         restart
         draw b a ann                          -> halted
         go                                    -> going
         draw b a ann                          -> drawn 1..2 gold
         pause a                               -> paused
         draw c a ann                          -> paused",
    );
}

#[test]
fn entries_to_a_raffle_cost_chances_and_are_done_with() {
    check(
        "activity a 0..900 total 3             -> open
         enter t a ann x 2                     -> entered 0..2
         enter t a ann x 2                     -> entered 0..2 again
         enter u a ann x 2                     -> chances_spent 1 left (total)
         draw u a ann                          -> version_stale          // nothing is drawn from
         player a ann                          -> bonus 0 used 2 draws 2
         activity b 0..900 total 3 plays gold  -> open
         enter v b ann                         -> version_stale          // and here nobody enters
         at 900
         enter w a ann                         -> ended
         forget                                -> 3
         enter t a ann x 2                     -> look_up",
    );
}

/// Like those of the other commands, which are pinned where they are made.
#[test]
fn the_digest_of_a_draw_stays_as_it_is() {
    let activity = ActivityId(-5);
    let draw = Draw {
        key: Key(1),
        activity,
        round: 2,
        user: UserId(1 << 40),
        draws: Draws::new(10).unwrap(),
        day: Day { number: 20_240_101, from: Timestamp(0), until: Timestamp(9) },
        client: Some(ClientValue([0xa5; 16])),
        standing: PlayerFacts::default(),
        table: decks::table_from(PoolId(77), "gold", activity, 2, 1),
    };
    assert_eq!(Command::Draw(Box::new(draw)).digest(), CommandDigest(0xf9e3_404f_87b8_b2cd));
}
