//! What forms and filters have in common: ids as text, ends of a window that may be taken away, and fields that are for
//! another kind of thing.

use std::str::FromStr;

use domain::Rejection;
use domain::rejection::FieldProblem;
use domain::time::Timestamp;

use crate::forms::Moment;

/// For chances, and for nothing else.
pub(crate) const FOR_CHANCES: FieldProblem =
    FieldProblem::Misplaced { en: "is for chances", zh: "仅用于抽奖机会" };

/// An id.
pub(crate) fn id<Id: FromStr>(field: &str, text: &str) -> Result<Id, Rejection> {
    text.parse().map_err(|_| Rejection::invalid(field, FieldProblem::Malformed))
}

/// An id that may be left out.
pub(crate) fn maybe_id<Id: FromStr>(field: &str, text: Option<&str>) -> Result<Option<Id>, Rejection> {
    text.map(|text| id(field, text)).transpose()
}

/// An end of a window: left out it stays, and an inner nothing takes it away.
pub(crate) fn moment(given: Option<Option<Moment>>) -> Option<Option<Timestamp>> {
    given.map(|moment| moment.map(Into::into))
}
