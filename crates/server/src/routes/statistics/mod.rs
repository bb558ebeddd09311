//! Statistics for those who run the site.

pub mod days;
pub mod funnel;
pub mod retention;
