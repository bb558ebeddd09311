//! What a version of a sale sells for, where orders look it up.

use domain::activity::PoolUse;
use domain::ids::ActivityId;
use domain::sale::SalePlan;

use crate::failure::Result;
use crate::params;
use crate::tx::Tx;
use crate::value::as_i64;

/// In the transaction that puts the version in place: the ledger hears of it later, so no hold is without a price.
pub(super) async fn insert(tx: &Tx<'_>, activity: ActivityId, version: u32, sale: &SalePlan) -> Result<()> {
    tx.execute(
        "INSERT INTO sale_prices (activity_id, version, pool_id, name, item, code_pool_id, price_minor, currency, policy,
                                  per_user, hold_ms, name_en)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        params![
            activity,
            version,
            PoolUse::Sale.pool_name(activity).pool().0,
            &sale.name,
            sale.item.name(),
            sale.item.pool(),
            as_i64(sale.price.minor),
            sale.price.currency.to_string(),
            sale.policy.name(),
            sale.per_user,
            sale.hold_ms,
            &sale.name_en,
        ],
    )
    .await?;
    Ok(())
}
