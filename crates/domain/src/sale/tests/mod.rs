mod attempts;
mod orders;
mod random;
mod room;
mod room_random;
