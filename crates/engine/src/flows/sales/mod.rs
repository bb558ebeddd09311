//! Sales as everybody sees them, and what operators do with them while they run.

mod look;
mod report;

pub use look::{SaleTold, Units, plan_of, sale_known, sale_list, sale_look, units};
pub use report::{SaleFigures, SaleLive, SaleReport, sale_figures, sale_live, sale_report, sale_units};
