//! The two ways something does not happen: a [`Rejection`] is an answer, a [`Fault`] is trouble.

use std::error::Error;

use domain::Rejection;

/// What a step or a flow returns: a value, an answer that is "no", or trouble.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Rejected(#[from] Rejection),
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Failure {
    /// The stable code when this is an answer.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Failure::Rejected(rejection) => Some(rejection.code()),
            Failure::Fault(_) => None,
        }
    }
}

/// Something broke. Logged once, with its cause, where it is handled.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct Fault {
    what: String,
    #[source]
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Fault {
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), source: None }
    }

    pub fn caused(what: impl Into<String>, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what: what.into(), source: Some(source.into()) }
    }

    /// The whole story on one line.
    pub fn story(&self) -> String {
        let mut text = self.what.clone();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_tells_its_causes_in_order() {
        let inner = Fault::caused("disk", std::io::Error::other("full"));
        assert_eq!(Fault::caused("saving a user", inner).story(), "saving a user: disk: full");
    }
}
