//! Orders of sales, held against the holds that they are.

use domain::ledger::audit::{Difference, compare_order};
use store::model::AuditStamp;

use super::auditor::{LedgerAuditor, Remedy, Step, count, same_position, settled};
use crate::{Place, Slice};

impl LedgerAuditor {
    /// Holds of sales whose orders are not there, or stand otherwise. Both are rows written together, so that what one view of
    /// the database says is so; the projection is stopped for the correction.
    pub(super) async fn book_orders(&self, after: u64, fix: Option<&AuditStamp>) -> Step<Slice> {
        let looked = self.books.books_orders_after(after).await?;
        let Some(last) = looked.last else { return Ok(Slice::default()) };
        let mut slice = Slice { checked: count(looked.orders.len()), ..Slice::default() };
        slice.next.push(Place::BookOrders { after: last });
        let wrong = looked.orders.iter().filter(|book| compare_order(book).is_some());
        let made: Vec<u64> = wrong.map(|book| book.made_seq).collect();
        if made.is_empty() {
            return Ok(slice);
        }
        let at = self.at_one(|_| ()).await?;
        let differ = async || -> Step<Vec<Difference>> {
            let rows = self.books.books_orders(made.clone()).await?;
            same_position(rows.position, at.seq)?;
            Ok(rows.rows.iter().filter_map(compare_order).collect())
        };
        let found = differ().await?;
        let remedy = Remedy { orders: made.clone(), ..Remedy::default() };
        let corrected = self.correct(at.seq, &found, &remedy, fix).await?;
        let left = if corrected { differ().await? } else { found.clone() };
        slice.differences = settled(found, &left);
        Ok(slice)
    }
}
