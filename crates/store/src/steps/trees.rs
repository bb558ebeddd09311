//! Rule trees: saved version by version, none of them ever changed.

use domain::Rejection;
use domain::ids::TreeId;
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use domain::tree::{TreeDraft, TreeHash, TreePurpose};
use serde_json::{Value as Json, json};

use super::{people, tree_rows, users};
use crate::failure::{Fault, Result};
use crate::model::{AuditStamp, CreateOutcome, TreeCreate, TreeQuery, TreeRow, TreeSave, TreeVersion};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, once, params};

pub(crate) async fn create(tx: &Tx<'_>, step: &TreeCreate) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let signed = &step.signed;
    tx.execute(
        "INSERT INTO rule_trees (id, name, name_folded, purpose, newest, created_by, created_at, changed_at)
         VALUES ($1, $2, $3, $4, 1, $5, $6, $6)",
        params![
            step.id,
            &step.name,
            users::fold_case(&step.name),
            step.draft.purpose.name(),
            audit::actor_text(signed.actor),
            signed.at
        ],
    )
    .await?;
    let after = insert(tx, step.id, 1, &step.name, &step.draft, signed).await?;
    audit::write(tx, signed, "tree.create", &subject(step.id), &Json::Null, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, signed.at).await
}

/// Under the same key the version that was saved is answered, however many there are by now. Without a key a repetition finds
/// that the newest version says the same, and is answered with it.
pub(crate) async fn save(tx: &Tx<'_>, step: &TreeSave) -> Result<u32> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(u32::try_from(made.id).map_err(|error| Fault::caused("a version of a tree", error))?);
    }
    let version = save_next(tx, step).await?;
    once::record(tx, step.once.as_ref(), version.into(), step.signed.at).await?;
    Ok(version)
}

async fn save_next(tx: &Tx<'_>, step: &TreeSave) -> Result<u32> {
    let (purpose, newest) = lock(tx, step.tree).await?;
    if step.draft.purpose != purpose {
        let problem = FieldProblem::NotOneOf { allowed: purpose.name() };
        return Err(Rejection::invalid("purpose", problem).into());
    }
    let (name, hash) = head(tx, step.tree, newest).await?;
    let same = name == step.name && hash == step.draft.hash();
    if same && (newest == step.base || newest.checked_sub(1) == Some(step.base)) {
        return Ok(newest);
    }
    if newest != step.base {
        return Err(Rejection::VersionStale { newest }.into());
    }
    let version = newest.checked_add(1).ok_or_else(|| Fault::new("a rule tree has no version left"))?;
    let signed = &step.signed;
    tx.execute(
        "UPDATE rule_trees SET name = $2, name_folded = $3, newest = $4, changed_at = $5 WHERE id = $1",
        params![step.tree, &step.name, users::fold_case(&step.name), version, signed.at],
    )
    .await?;
    let before = json!({ "version": newest, "name": name, "hash": hex(hash) });
    let after = insert(tx, step.tree, version, &step.name, &step.draft, signed).await?;
    audit::write(tx, signed, "tree.save", &subject(step.tree), &before, &after).await?;
    Ok(version)
}

/// What is read back is what was saved, or a fault: the hash tells.
pub(crate) async fn find(
    tx: &Tx<'_>,
    (tree, version): &(TreeId, Option<u32>),
) -> Result<Option<TreeVersion>> {
    let found = tx
        .one(
            "SELECT t.purpose, t.newest, v.version, v.name, v.hash, v.saved_by, v.saved_at
             FROM rule_trees t JOIN rule_tree_versions v
               ON v.tree_id = t.id AND v.version = COALESCE(CAST($2 AS BIGINT), t.newest)
             WHERE t.id = $1",
            params![*tree, *version],
            |row| {
                let (purpose, newest) = (row.named(TreePurpose::parse)?, number(row)?);
                Ok(TreeVersion {
                    tree: *tree,
                    newest,
                    version: number(row)?,
                    name: row.text()?,
                    draft: TreeDraft { purpose, nodes: Vec::new() },
                    hash: TreeHash(row.hash()?),
                    saved_by: row.named(audit::parse_actor)?,
                    saved_at: row.time()?,
                })
            },
        )
        .await?;
    let Some(mut found) = found else { return Ok(None) };
    found.draft.nodes = tree_rows::read(tx, *tree, found.version).await?;
    if found.draft.hash() != found.hash {
        let what =
            format!("version {} of rule tree {tree} does not read back as it was saved", found.version);
        return Err(Fault::new(what).into());
    }
    Ok(Some(found))
}

/// Newest first.
pub(crate) async fn list(tx: &Tx<'_>, (query, page): &(TreeQuery, PageRequest)) -> Result<Page<TreeRow>> {
    let rows = tx
        .all(
            "SELECT id, name, purpose, newest, created_by, created_at, changed_at FROM rule_trees
             WHERE id < $1
               AND (CAST($2 AS TEXT) IS NULL OR name_folded LIKE $2 ESCAPE '!')
               AND (CAST($3 AS TEXT) IS NULL OR purpose = $3)
             ORDER BY id DESC LIMIT $4",
            params![
                page.before(),
                query.name.as_deref().map(people::contains),
                query.purpose.map(TreePurpose::name),
                page.fetch()
            ],
            |row| {
                Ok(TreeRow {
                    id: TreeId(row.int()?),
                    name: row.text()?,
                    purpose: row.named(TreePurpose::parse)?,
                    newest: number(row)?,
                    created_by: row.named(audit::parse_actor)?,
                    created_at: row.time()?,
                    changed_at: row.time()?,
                })
            },
        )
        .await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

async fn lock(tx: &Tx<'_>, tree: TreeId) -> Result<(TreePurpose, u32)> {
    let found = tx
        .one("SELECT purpose, newest FROM rule_trees WHERE id = $1 FOR UPDATE", params![tree], |row| {
            Ok((row.named(TreePurpose::parse)?, number(row)?))
        })
        .await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::Tree })?)
}

async fn head(tx: &Tx<'_>, tree: TreeId, version: u32) -> Result<(String, TreeHash)> {
    let found = tx
        .one(
            "SELECT name, hash FROM rule_tree_versions WHERE tree_id = $1 AND version = $2",
            params![tree, version],
            |row| Ok((row.text()?, TreeHash(row.hash()?))),
        )
        .await?;
    Ok(found.ok_or_else(|| Fault::new(format!("version {version} of rule tree {tree} is not there")))?)
}

/// Answers what the audit log says of the new version.
async fn insert(
    tx: &Tx<'_>,
    tree: TreeId,
    version: u32,
    name: &str,
    draft: &TreeDraft,
    signed: &AuditStamp,
) -> Result<Json> {
    let hash = draft.hash();
    tx.execute(
        "INSERT INTO rule_tree_versions (tree_id, version, name, hash, saved_by, saved_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        params![tree, version, name, hash.0, audit::actor_text(signed.actor), signed.at],
    )
    .await?;
    tree_rows::write(tx, tree, version, draft).await?;
    Ok(json!({ "version": version, "name": name, "hash": hex(hash) }))
}

pub(super) fn number(row: &mut Row) -> Result<u32, Fault> {
    u32::try_from(row.int()?).map_err(|error| Fault::caused("a number of a rule tree", error))
}

fn hex(hash: TreeHash) -> String {
    hash.0.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn subject(tree: TreeId) -> String {
    format!("tree:{tree}")
}
