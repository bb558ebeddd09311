//! Roles of people. Everybody is a player; the others are given.

crate::names! {
    pub enum Role {
        Player = "player",
        /// Creates and edits campaigns.
        Operator = "operator",
        /// Approves what operators made; never their own.
        Reviewer = "reviewer",
        /// Judges what people write; never their own.
        Moderator = "moderator",
        /// Accounts, keys, roles, jobs.
        Admin = "admin",
    }
}

impl Role {
    const fn bit(self) -> i64 {
        match self {
            Role::Player => 0,
            Role::Operator => 1,
            Role::Reviewer => 2,
            Role::Admin => 4,
            Role::Moderator => 8,
        }
    }
}

/// A set of roles; one integer in the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Roles(i64);

impl Roles {
    pub const PLAYER: Roles = Roles(0);

    pub fn of(roles: &[Role]) -> Self {
        Self(roles.iter().fold(0, |bits, role| bits | role.bit()))
    }

    /// Unknown bits, of a newer version say, are dropped rather than trusted.
    pub fn from_bits(bits: i64) -> Self {
        Self(bits & Self::of(&Role::ALL).0)
    }

    pub fn bits(self) -> i64 {
        self.0
    }

    pub fn has(self, role: Role) -> bool {
        self.0 & role.bit() == role.bit()
    }

    /// Any role beyond player: may see the console at all.
    pub fn staff(self) -> bool {
        self.0 != 0
    }

    pub fn names(self) -> Vec<&'static str> {
        Role::ALL.into_iter().filter(|role| self.has(*role)).map(Role::name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_knows_its_members() {
        for (roles, names, staff) in [
            (Roles::PLAYER, vec!["player"], false),
            (Roles::of(&[Role::Operator]), vec!["player", "operator"], true),
            (Roles::of(&[Role::Admin, Role::Reviewer]), vec!["player", "reviewer", "admin"], true),
        ] {
            assert_eq!(roles.names(), names);
            assert_eq!(roles.staff(), staff);
            assert_eq!(Roles::from_bits(roles.bits()), roles);
        }
        assert_eq!(Roles::from_bits(i64::MAX).names().len(), 5, "unknown bits are dropped");
    }
}
