//! How the switch for everything is.

use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

pub(crate) async fn is_halted(tx: &Tx<'_>) -> Result<bool> {
    let halted = tx.one("SELECT halted FROM play_switch", params![], Row::flag).await?;
    Ok(halted.ok_or_else(|| Fault::new("the switch that stops every activity is not there"))?)
}
