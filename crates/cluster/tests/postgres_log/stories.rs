//! Rows of the whole ledger over this log: what is told stays so over restarts, from the log alone.

use crate::rows::check;

#[test]
fn a_restart_goes_on_from_the_log_alone() {
    check(
        "open p 10 max 5          -> open
         reserve a p:2 by ann     -> held
         confirm a                -> confirmed
         reserve b p:3 by ann     -> held
         restart
         reserve a p:2 by ann     -> confirmed again
         confirm b p:1            -> confirmed
         reserve c p:9            -> sold_out
         pool p                   -> 10=7+0+3
         restart
         cancel b                 -> already_confirmed
         reserve d p:7            -> held
         cancel d                 -> cancelled
         restart
         cancel d                 -> cancelled again
         pool p                   -> 10=7+0+3",
    );
}

#[test]
fn holds_end_once_whatever_is_restarted() {
    check(
        "open p 5                 -> open
         reserve a p:2 ttl 100    -> held
         reserve b p:2 ttl 5000   -> held
         at 200
         restart
         swept p                  -> 5=3+2+0
         confirm a                -> expired
         confirm b                -> confirmed
         restart
         pool p                   -> 5=3+0+2",
    );
}
