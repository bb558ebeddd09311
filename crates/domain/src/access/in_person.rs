//! What a key may not do to staff: whoever finds a key must not be able to keep the people out who could stop it.

use super::Roles;
use crate::Rejection;

/// Passes for people and the command line, and for keys when the account is a player's.
pub fn staff_in_person(by_key: bool, roles: Roles) -> Result<(), Rejection> {
    if by_key && roles.staff() { Err(Rejection::StaffInPerson) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Role;

    #[test]
    fn keys_touch_players_only() {
        for (by_key, roles, passes) in [
            (true, Roles::PLAYER, true),
            (true, Roles::of(&[Role::Admin]), false),
            (true, Roles::of(&[Role::Operator]), false),
            (false, Roles::of(&[Role::Admin]), true),
        ] {
            assert_eq!(staff_in_person(by_key, roles).is_ok(), passes, "{by_key} {roles:?}");
        }
    }
}
