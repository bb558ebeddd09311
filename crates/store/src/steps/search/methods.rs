//! The steps of search as methods of `Db`.

use domain::search::{FoundPage, IndexedKind};

use super::{find, index};
use crate::db::Db;
use crate::failure::Result;
use crate::model::{
    FoundRow, IndexedThing, SearchFind, SearchIndexCheck, SearchIndexChecked, SearchIndexWrite,
};
use crate::params;

impl Db {
    /// What answers a query, as its reader sees it.
    pub async fn search_find(&self, step: SearchFind) -> Result<FoundPage<FoundRow>> {
        self.read(step, |tx, step| Box::pin(find::find(tx, step))).await
    }

    /// Brings the index up to what messages are about, with the end of those messages.
    pub async fn search_index_write(&self, step: SearchIndexWrite) -> Result<()> {
        self.write(step, |tx, step| Box::pin(index::write(tx, step))).await
    }

    /// Brings the index up to the next rows of a kind.
    pub async fn search_index_check(&self, step: SearchIndexCheck) -> Result<SearchIndexChecked> {
        self.write(step, |tx, step| Box::pin(index::check(tx, step))).await
    }

    /// What is in the index, each with the digest of its terms. For tests.
    pub async fn search_index_list(&self) -> Result<Vec<(IndexedThing, Vec<u8>)>> {
        self.read((), |tx, ()| {
            Box::pin(async move {
                let sql = "SELECT kind, id, digest FROM search_documents ORDER BY kind, id LIMIT 100000";
                tx.all(sql, params![], |row| {
                    let kind = row.named(IndexedKind::parse)?;
                    Ok((IndexedThing { kind, id: row.int()? }, row.bytes()?))
                })
                .await
            })
        })
        .await
    }
}
