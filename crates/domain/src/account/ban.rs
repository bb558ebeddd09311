//! A ban: why, and until when. It ends by itself; nothing has to run for that.

use crate::Rejection;
use crate::rejection::BanEnd;
use crate::time::Timestamp;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    pub reason: String,
    pub since: Timestamp,
    pub until: BanEnd,
}

impl Ban {
    /// Refuses while the ban lasts.
    pub fn check(ban: Option<&Ban>, now: Timestamp) -> Result<(), Rejection> {
        match ban {
            Some(ban) if ban.in_force(now) => {
                Err(Rejection::Banned { until: ban.until, reason: ban.reason.clone() })
            }
            _ => Ok(()),
        }
    }

    pub fn in_force(&self, now: Timestamp) -> bool {
        match self.until {
            BanEnd::Never => true,
            BanEnd::At(end) => now < end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ban_ends_by_itself() {
        let ban = |until| Ban { reason: "spam".into(), since: Timestamp(0), until };
        for (ban, now, passes) in [
            (None, 5, true),
            (Some(ban(BanEnd::Never)), i64::MAX, false),
            (Some(ban(BanEnd::At(Timestamp(10)))), 9, false),
            (Some(ban(BanEnd::At(Timestamp(10)))), 10, true),
        ] {
            assert_eq!(Ban::check(ban.as_ref(), Timestamp(now)).is_ok(), passes, "{ban:?} {now}");
        }
    }
}
