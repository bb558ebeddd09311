//! Statistics over HTTP: who counts as a visitor, days and ranges, people who come again, and how far they get in a campaign.

mod days;
mod fixtures;
mod funnels;
mod visitors;
