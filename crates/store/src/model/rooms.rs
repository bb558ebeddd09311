//! The waiting rooms of sales, as far as they outlive a process: which numbers were given.
