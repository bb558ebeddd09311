//! Sales beside what they share with every activity: pictures, and whoever waits for a start.

mod pictures;
mod port;
mod reminders;
