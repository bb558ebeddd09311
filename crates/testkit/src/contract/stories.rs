//! The contract as tables: see [`super::row`] for the language.

/// One table of rows with a name.
#[derive(Clone, Copy, Debug)]
pub struct Story {
    pub name: &'static str,
    pub rows: &'static str,
}

const fn story(name: &'static str, rows: &'static str) -> Story {
    Story { name, rows }
}

pub const STORIES: &[Story] = &[
    story(
        "reserve and confirm",
        "open p 10                      -> open
         reserve a p:3                  -> held
         pool p                         -> 10=7+3+0
         confirm a                      -> confirmed
         pool p                         -> 10=7+0+3",
    ),
    story(
        "a pool that is not there is not sold out",
        "pool p                         -> none
         reserve a p:1                  -> pool_unknown
         adjust p 1                     -> pool_unknown
         open p 0                       -> open
         reserve a p:1                  -> sold_out 0 left
         adjust p 1                     -> open
         reserve a p:1                  -> held",
    ),
    story(
        "a partial confirmation returns the rest",
        "open p 10                      -> open
         open q 5                       -> open
         reserve a p:3,q:2 by ann       -> held
         confirm a p:1                  -> confirmed
         pool p                         -> 10=9+0+1
         pool q                         -> 5=5+0+0
         confirm a p:1                  -> confirmed again
         confirm a                      -> already_confirmed",
    ),
    story(
        "a confirmation takes no more than is held",
        "open p 10                      -> open
         open q 10                      -> open
         reserve a p:3                  -> held
         confirm a p:4                  -> not_held
         confirm a p:2,p:2              -> not_held
         confirm a q:1                  -> not_held
         confirm a -                    -> no_lines
         confirm a p:2,p:1              -> confirmed
         pool p                         -> 10=7+0+3
         confirm b                      -> hold_unknown",
    ),
    story(
        "several lines happen whole or not at all",
        "open p 10                      -> open
         open q 1                       -> open
         reserve a p:3,q:2              -> sold_out 1 left
         pool p                         -> 10=10+0+0
         reserve a p:3,r:1              -> pool_unknown
         pool p                         -> 10=10+0+0
         reserve a p:3,q:1              -> held
         pool p                         -> 10=7+3+0
         pool q                         -> 1=0+1+0",
    ),
    story(
        "two lines on one pool are summed",
        "open p 3                       -> open
         reserve a p:2,p:2              -> sold_out 3 left
         reserve a p:2,p:1              -> held
         pool p                         -> 3=0+3+0
         confirm a                      -> confirmed
         pool p                         -> 3=0+0+3",
    ),
    story(
        "limits per owner are part of the same step",
        "open p 10 max 2                -> open
         reserve a p:1 by ann           -> held
         reserve b p:2 by ann           -> limit_reached has 1
         reserve b p:1 by ann           -> held
         reserve c p:1 by ann           -> limit_reached has 2
         reserve c p:2 by bob           -> held
         confirm a                      -> confirmed
         reserve d p:1 by ann           -> limit_reached has 2   // confirming does not give the limit back
         reserve e p:5                  -> held                  // nobody's: no limit
         pool p                         -> 10=1+8+1",
    ),
    story(
        "a partial confirmation gives the limit back",
        "open p 10 max 3                -> open
         reserve b p:3 by ann           -> held
         confirm b p:1                  -> confirmed
         reserve c p:3 by ann           -> limit_reached has 1
         reserve c p:2 by ann           -> held",
    ),
    story(
        "an owner never has more than can be counted",
        "open p 9000000000              -> open
         reserve a p:1000000000 by ann  -> held
         reserve b p:1000000000 by ann  -> held
         reserve c p:1000000000 by ann  -> held
         reserve d p:1000000000 by ann  -> held
         reserve e p:294967296 by ann   -> limit_reached has 4000000000
         reserve e p:294967295 by ann   -> held
         reserve f p:1 by ann           -> limit_reached has 4294967295
         reserve f p:1 by bob           -> held
         pool p                         -> 9000000000=4705032704+4294967296+0",
    ),
    story(
        "bounds have names",
        "open p 10                      -> open
         reserve a p:1 ttl 9            -> ttl_out_of_range
         reserve a p:1 ttl 86400001     -> ttl_out_of_range
         reserve a -                    -> no_lines
         reserve a p:1,p:1,p:1,p:1,p:1  -> too_many_lines
         reserve a p:1000000000,p:1     -> quantity_too_large
         reserve a p:11                 -> sold_out 10 left
         adjust p 9000000000000000      -> total_too_large
         adjust p 9223372036854775807   -> total_too_large
         adjust p -11                   -> not_free
         adjust p -9223372036854775808  -> not_free
         open q 9000000000000000        -> total_too_large
         open q 1125899906842624        -> open             // the largest total there is
         adjust q -1                    -> open
         pool q                         -> 1125899906842623=1125899906842623+0+0",
    ),
    story(
        "the same reservation answers the same",
        "open p 10                      -> open
         reserve a p:3 by ann           -> held
         reserve a p:3 by ann           -> held again
         pool p                         -> 10=7+3+0
         confirm a                      -> confirmed
         confirm a                      -> confirmed again
         reserve a p:3 by ann           -> confirmed again
         pool p                         -> 10=7+0+3",
    ),
    story(
        "the same id with another body is a conflict",
        "open p 10                      -> open
         open q 10                      -> open
         reserve a p:3 by ann ttl 60000 -> held
         reserve a p:4 by ann ttl 60000 -> conflict
         reserve a q:3 by ann ttl 60000 -> conflict
         reserve a p:3 by bob ttl 60000 -> conflict
         reserve a p:3 ttl 60000        -> conflict
         reserve a p:3 by ann ttl 60001 -> conflict
         reserve a p:3,q:1 by ann       -> conflict
         confirm a                      -> confirmed
         reserve a p:4 by ann           -> conflict
         pool p                         -> 10=7+0+3",
    ),
    story(
        "a refusal is not remembered",
        "open p 1                       -> open
         reserve a p:2                  -> sold_out 1 left
         adjust p 1                     -> open
         reserve a p:2                  -> held",
    ),
    story(
        "commands on pools have ids too",
        "open p 10 #1                   -> open
         open p 10 #1                   -> open again
         open p 11 #1                   -> conflict
         adjust p 5 #2                  -> open
         adjust p 5 #2                  -> open again
         adjust p 6 #2                  -> conflict
         pool p                         -> 15=15+0+0",
    ),
    story(
        "stock changes by deltas only",
        "open p 10                      -> open
         reserve a p:4                  -> held
         adjust p 5                     -> open
         pool p                         -> 15=11+4+0
         adjust p -11                   -> open
         pool p                         -> 4=0+4+0
         adjust p -1                    -> not_free
         open p 10                      -> round_stale
         open p 10 round 2              -> round_stale      // still running",
    ),
    story(
        "commands of one request are decided in order, each on its own",
        "open p 3                                                       -> open
         reserve a p:2; reserve b p:2; reserve c p:1; confirm a         -> held; sold_out 1 left; held; confirmed
         reserve d p:1; adjust p 1; reserve d p:1; confirm e            -> sold_out 0 left; open; held; hold_unknown
         reserve c p:1; reserve c p:2; confirm c p:1; reserve a p:2     -> held again; conflict; confirmed; confirmed again
         pool p                                                         -> 4=0+1+3",
    ),
    story(
        "a hold can be read, open or ended",
        "open p 10                      -> open
         hold a                         -> none
         reserve a p:1                  -> held
         hold a                         -> held
         confirm a                      -> confirmed
         hold a                         -> confirmed
         restart
         hold a                         -> confirmed
         reserve b p:11                 -> sold_out 9 left
         hold b                         -> none             // refusals leave no trace",
    ),
    story(
        "answers outlive a new start",
        "open p 10 #1                   -> open
         reserve a p:3 by ann           -> held
         reserve b p:2                  -> held
         confirm a p:1                  -> confirmed
         restart
         open p 10 #1                   -> open again
         open p 11 #1                   -> conflict
         reserve a p:3 by ann           -> confirmed again
         reserve a p:4 by ann           -> conflict
         confirm a p:1                  -> confirmed again
         confirm a                      -> already_confirmed
         reserve b p:2                  -> held again
         confirm b                      -> confirmed
         reserve c p:8                  -> sold_out 7 left
         pool p                         -> 10=7+0+3",
    ),
    story(
        "cancelling returns everything, also the limit",
        "open p 10 max 3                -> open
         reserve a p:3 by ann           -> held
         reserve b p:1 by ann           -> limit_reached has 3
         cancel a                       -> cancelled
         pool p                         -> 10=10+0+0
         confirm a                      -> already_cancelled
         cancel a                       -> cancelled again
         reserve a p:3 by ann           -> cancelled again
         reserve b p:3 by ann           -> held
         confirm b                      -> confirmed
         cancel b                       -> already_confirmed
         pool p                         -> 10=7+0+3",
    ),
    story(
        "a cancelled id never comes alive",
        "open p 10                      -> open
         cancel a                       -> cancelled        // before it arrived
         cancel a                       -> already_cancelled
         reserve a p:3                  -> already_cancelled
         confirm a                      -> already_cancelled
         pool p                         -> 10=10+0+0
         restart
         reserve a p:3                  -> already_cancelled",
    ),
    story(
        "extending moves the end up to a cap",
        "open p 10                      -> open
         reserve a p:1 ttl 60000        -> held
         extend a 1000                  -> held again       // never earlier
         extend a 86400000              -> held
         extend a 60000                 -> held again
         extend a 518400000             -> extend_too_far
         confirm a                      -> confirmed
         extend a 86400000              -> already_confirmed
         extend b 86400000              -> hold_unknown
         cancel c                       -> cancelled
         extend c 86400000              -> already_cancelled",
    ),
    story(
        "a hold that is due cannot be confirmed, swept or not",
        "open p 10 max 4                -> open
         reserve a p:3 by ann ttl 100   -> held
         reserve b p:1 by ann ttl 100   -> held
         pass 100
         confirm a                      -> expired
         extend a 60000                 -> expired
         pass 200
         swept p                        -> 10=10+0+0
         confirm a                      -> expired
         cancel a                       -> expired
         reserve a p:3 by ann ttl 100   -> expired again
         reserve c p:4 by ann           -> held             // expiry gives the limit back
         pool p                         -> 10=6+4+0",
    ),
    story(
        "a hold that is due is not cancelled, swept or not",
        "open p 10                      -> open
         reserve a p:3 ttl 100          -> held
         pass 100
         cancel a                       -> expired
         confirm a                      -> expired
         pass 200
         swept p                        -> 10=10+0+0
         cancel a                       -> expired",
    ),
    story(
        "a frozen pool gives nothing new and lets holds end",
        "open p 10                      -> open
         reserve a p:1                  -> held
         reserve b p:1                  -> held
         freeze p #1                    -> frozen
         reserve c p:1                  -> frozen
         adjust p 1                     -> frozen
         confirm a                      -> confirmed
         cancel b                       -> cancelled
         thaw p                         -> open
         freeze p #1                    -> open again       // told once, done once
         freeze p #1; thaw p #1         -> open again; conflict
         reserve c p:1                  -> held
         pool p                         -> 11=9+1+1",
    ),
    story(
        "a closed pool stays closed until its next round",
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
         open p 5 round 3               -> round_stale",
    ),
    story(
        "an old round never credits the next",
        "open p 10                      -> open
         reserve a p:4 by ann           -> held
         reserve b p:3                  -> held
         reserve c p:2 ttl 100          -> held
         close p                        -> closed
         open p 5 round 2 max 1         -> open
         reserve d p:1 by ann           -> held             // a new round counts anew
         pool p                         -> 5=4+1+0
         cancel a                       -> cancelled
         confirm b                      -> confirmed
         pass 200
         swept p                        -> 5=4+1+0
         confirm c                      -> expired
         pool p                         -> 5=4+1+0",
    ),
    story(
        "a lower limit leaves what is there",
        "open p 10                      -> open
         reserve a p:3 by ann           -> held
         limit p 2                      -> open
         reserve b p:1 by ann           -> limit_reached has 3
         confirm a                      -> confirmed
         limit p 0                      -> open
         reserve b p:1 by ann           -> held",
    ),
];
