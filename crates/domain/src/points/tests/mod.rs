mod random;
mod rows;
