mod checking;
mod deciding;
mod given;
mod holes;
mod lives;
mod odds;
mod recording;
