//! Scopes of API keys: what a company's own backend may do.

use std::fmt;

crate::names! {
    pub enum Scope {
        /// Acts for one of the company's own users, named in a header.
        Play = "play",
        /// Stock: pools, reserve, confirm, cancel.
        Inventory = "inventory",
        /// Reports back what became of a prize.
        Fulfil = "fulfil",
        /// Sets facts about users.
        Facts = "facts",
        /// Reads what operators may read.
        Read = "read",
        /// Everything an admin may do, except what needs a person.
        Admin = "admin",
    }
}

impl Scope {
    const fn bit(self) -> i64 {
        1 << self as i64
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
        for scope in Scope::ALL {
            assert!(Scopes::of(&[scope]).has(scope));
            assert!(!Scopes::default().has(scope));
        }
        assert_eq!(Scopes::of(&Scope::ALL).names().len(), 6);
    }
}
