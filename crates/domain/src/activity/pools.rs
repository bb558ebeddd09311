//! The names of an activity's pools in the ledger. They live across its rounds and versions.

use crate::ids::ActivityId;
use crate::ledger::PoolName;
use crate::lottery::strategy::PrizeId;

/// Where the units of a prize are: `prize/{activity}/{prize}`.
pub fn prize_pool(activity: ActivityId, prize: PrizeId) -> PoolName {
    pool_name(&format!("prize/{activity}/{}", prize.number()))
}

/// Where the entries for everybody together are: `entries/{activity}`.
pub fn entries_pool(activity: ActivityId) -> PoolName {
    pool_name(&format!("entries/{activity}"))
}

/// Where the units of a sale are: `sale/{activity}`.
pub fn sale_pool(activity: ActivityId) -> PoolName {
    pool_name(&format!("sale/{activity}"))
}

fn pool_name(name: &str) -> PoolName {
    PoolName::new(name).expect("a word and numbers make a name")
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn names_are_for_good() {
        let activity = ActivityId(i64::MIN);
        let prize = PrizeId::new(4_095).unwrap();
        assert_eq!(prize_pool(activity, prize).as_str(), "prize/-9223372036854775808/4095");
        assert_eq!(entries_pool(ActivityId(7)).as_str(), "entries/7");
        assert_eq!(sale_pool(ActivityId(7)).as_str(), "sale/7");
    }
}
