//! Scopes of API keys: what a company's own backend may do.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Acts for one of the company's own users, named in a header.
    Play,
    /// Stock: pools, reserve, confirm, cancel.
    Inventory,
    /// Reports back what became of a prize.
    Fulfil,
    /// Sets facts about users.
    Facts,
    /// Reads what operators may read.
    Read,
    /// Everything an admin may do, except what needs a person.
    Admin,
}

impl Scope {
    pub const ALL: [Scope; 6] =
        [Scope::Play, Scope::Inventory, Scope::Fulfil, Scope::Facts, Scope::Read, Scope::Admin];

    /// All names, for messages.
    pub const NAMES: &'static str = "play, inventory, fulfil, facts, read, admin";

    pub const fn name(self) -> &'static str {
        match self {
            Scope::Play => "play",
            Scope::Inventory => "inventory",
            Scope::Fulfil => "fulfil",
            Scope::Facts => "facts",
            Scope::Read => "read",
            Scope::Admin => "admin",
        }
    }

    const fn bit(self) -> i64 {
        1 << self as i64
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|scope| scope.name() == text).ok_or(())
    }
}

/// A set of scopes; one integer in the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scopes(i64);

impl Scopes {
    pub fn of(scopes: &[Scope]) -> Self {
        Self(scopes.iter().fold(0, |bits, scope| bits | scope.bit()))
    }

    pub fn from_bits(bits: i64) -> Self {
        Self(bits & Self::of(&Scope::ALL).0)
    }

    pub fn bits(self) -> i64 {
        self.0
    }

    pub fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn names(self) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|scope| self.has(*scope)).map(Scope::name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sets_agree() {
        assert_eq!(Scope::NAMES, Scope::ALL.map(Scope::name).join(", "));
        for scope in Scope::ALL {
            assert_eq!(scope.name().parse(), Ok(scope));
            assert!(Scopes::of(&[scope]).has(scope));
            assert!(!Scopes::default().has(scope));
        }
        assert_eq!(Scopes::of(&Scope::ALL).names().len(), 6);
    }
}
