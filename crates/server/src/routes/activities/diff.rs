//! What a version changes, as JSON: every field, and what the fields point to.

use std::collections::BTreeMap;

use domain::Lang;
use domain::activity::{FieldChange, PoolUse, StockDiff, WorstCase};
use engine::activities::VersionView;
use engine::activities::code_promises::CodeShortage;
use serde::Serialize;
use store::model::TreeVersion;
use utoipa::ToSchema;

use super::wire::VersionNote;

/// What a version changes.
#[derive(Debug, Serialize, ToSchema)]
pub struct DiffBody {
    pub version: VersionNote,
    /// The version it was compared with: the one before. The first has none, and lists everything it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u32>,
    /// Also `tree_version`: the rule tree stays and lets other people in.
    pub changes: Vec<ChangeBody>,
    /// What approval does to the pools of prizes and entries: units are a difference, not a new total.
    pub stock: Vec<StockDiffBody>,
    /// Who could take part before, where there was a rule tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_before: Option<TreeNoteBody>,
    /// Who can take part, where there is a rule tree: as it was fixed at submission, or the newest before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeNoteBody>,
    pub worst_case: WorstCaseBody,
    /// Prizes, or what is sold, for which there are not enough codes.
    pub codes: Vec<CodeShortageBody>,
    /// What prizes, pools of codes and trees are called: `prizes.3`, `pool.…` and `tree.…` with their ids.
    #[schema(example = json!({ "prizes.3": "Mug" }))]
    pub names: BTreeMap<String, String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TreeNoteBody {
    pub id: String,
    pub name: String,
    pub version: u32,
    /// There is a newer one by now.
    pub newest: u32,
}

impl From<TreeVersion> for TreeNoteBody {
    fn from(tree: TreeVersion) -> Self {
        Self { id: tree.tree.to_string(), name: tree.name, version: tree.version, newest: tree.newest }
    }
}

/// What the prizes of a version can cost at most.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorstCaseBody {
    /// In the smallest unit of the site's currency; absent where nothing bounds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_minor: Option<u64>,
    /// `units`, `budget` or `nothing`.
    pub bound: &'static str,
}

impl From<WorstCase> for WorstCaseBody {
    fn from(worst: WorstCase) -> Self {
        Self { cost_minor: worst.cost_minor, bound: worst.bound.name() }
    }
}

/// Units beyond the codes there are.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodeShortageBody {
    /// What the prize, or what is sold, is called.
    pub name: String,
    pub pool_id: String,
    pub pool_name: String,
    /// Codes that are left in the pool.
    pub left: u64,
    /// What everything published promises from it already.
    pub promised: u64,
    /// What this version promises beyond that.
    pub more: u64,
}

impl From<CodeShortage> for CodeShortageBody {
    fn from(short: CodeShortage) -> Self {
        Self {
            name: short.part.name,
            pool_id: short.part.pool.to_string(),
            pool_name: short.pool_name,
            left: short.left,
            promised: short.promised,
            more: short.more,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StockDiffBody {
    /// `entries`, or the prize by its id.
    #[schema(example = "prizes.3.units")]
    pub field: String,
    /// Units added to the pool, or with a minus taken from what is still in it; absent where they are no longer counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<i64>,
    /// What happens to the pool, and to those already given, in the caller's language.
    pub text: String,
}

impl StockDiffBody {
    fn of(diff: &StockDiff, lang: Lang) -> Self {
        let field = match diff.part {
            PoolUse::Entries => "entries".to_owned(),
            PoolUse::Prize(prize) => format!("prizes.{}.units", prize.number()),
            PoolUse::Sale => "sale.units".to_owned(),
        };
        let change = diff.change().map(|change| i64::try_from(change).unwrap_or(i64::MAX));
        Self { field, change, text: diff.text(lang) }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChangeBody {
    /// Prizes go by their ids.
    #[schema(example = "prizes.3.odds")]
    pub field: String,
    /// Absent where it was not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl DiffBody {
    pub fn of(shown: VersionView, lang: Lang) -> Self {
        let change = |FieldChange { field, before, after }| ChangeBody { field, before, after };
        Self {
            version: VersionNote::from(&shown.version),
            before: shown.before,
            changes: shown.changes.into_iter().map(change).collect(),
            stock: shown.stock.iter().map(|diff| StockDiffBody::of(diff, lang)).collect(),
            tree_before: shown.trees.0.map(TreeNoteBody::from),
            tree: shown.trees.1.map(TreeNoteBody::from),
            worst_case: shown.worst_case.into(),
            codes: shown.codes.into_iter().map(CodeShortageBody::from).collect(),
            names: shown.names,
        }
    }
}
