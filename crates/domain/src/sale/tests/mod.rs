mod attempts;
mod orders;
mod random;
