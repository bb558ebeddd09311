//! Sales beside what they share with every activity: pictures, and whoever waits for a start.

mod methods;
mod pictures;
mod reminders;
