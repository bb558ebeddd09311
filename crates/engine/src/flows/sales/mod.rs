//! Sales as everybody sees them, and what operators do with them while they run.

mod look;

pub use look::{SaleTold, Units, plan_of, sale_known, sale_list, sale_look, units};
