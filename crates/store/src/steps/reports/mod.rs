//! Reports: made by people, gathered into cases, decided by moderators.

mod create;
mod decide;
mod lists;
mod methods;

/// What goes of reports with an account: the words of its own, and those about it.
pub(crate) const LEAVING: [&str; 2] = [
    "UPDATE reports SET text = '' WHERE user_id = $1",
    "UPDATE reports SET text = '' WHERE case_id IN (SELECT id FROM report_cases WHERE author_id = $1)",
];
