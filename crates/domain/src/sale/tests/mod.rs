mod room;
mod room_random;
