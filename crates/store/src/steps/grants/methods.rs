//! The port of grants, one line per method.

use domain::ids::{GrantId, GrantRuleId};
use domain::page::{Page, PageRequest};

use super::{queries, record, reverse, rules, tasks};
use crate::Db;
use crate::failure::Result;
use crate::model::*;

impl Db {
    pub async fn grant_rule_make(&self, step: GrantRuleMake) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(rules::make(tx, step))).await
    }

    /// A change that changes nothing is no edition.
    pub async fn grant_rule_edit(&self, step: GrantRuleEdit) -> Result<GrantRuleRow> {
        self.write(step, |tx, step| Box::pin(rules::edit(tx, step))).await
    }

    pub async fn grant_rule(&self, id: GrantRuleId) -> Result<Option<GrantRuleRow>> {
        self.read(id, |tx, id| Box::pin(rules::find(tx, id))).await
    }

    /// The newest first; with a behaviour, those of it.
    pub async fn grant_rule_list(
        &self,
        behaviour: Option<String>,
        page: PageRequest,
    ) -> Result<Page<GrantRuleRow>> {
        self.read((behaviour, page), |tx, step| Box::pin(rules::list(tx, step))).await
    }

    /// The behaviour, its grants and their messages, in one transaction. The same again answers what came of it; under
    /// the same key somebody else, or something else, is a conflict.
    pub async fn behaviour_record(&self, step: BehaviourRecord) -> Result<Recording> {
        self.write(step, |tx, step| Box::pin(record::record(tx, step))).await
    }

    /// What came of a behaviour, if it is known.
    pub async fn behaviour_look(&self, kind: String, key: String) -> Result<Option<BehaviourResult>> {
        self.read((kind, key), |tx, step| Box::pin(queries::behaviour(tx, step))).await
    }

    /// The rules of what Windfall sees itself that hold now, and how far somebody has come with each.
    pub async fn tasks_find(&self, step: TasksFind) -> Result<Vec<TaskRow>> {
        self.read(step, |tx, step| Box::pin(tasks::find(tx, step))).await
    }

    /// From now on it is undone.
    pub async fn behaviour_undo(&self, kind: String, key: String, signed: AuditStamp) -> Result<()> {
        self.write((kind, key, signed), |tx, step| Box::pin(reverse::undone(tx, step))).await
    }

    pub async fn grant(&self, id: GrantId) -> Result<Option<GrantRow>> {
        self.read(id, |tx, id| Box::pin(queries::find(tx, id))).await
    }

    /// The newest first.
    pub async fn grant_list(&self, search: GrantSearch, page: PageRequest) -> Result<Page<GrantRow>> {
        self.read((search, page), |tx, step| Box::pin(queries::list(tx, step))).await
    }

    /// One that was taken back answers as it is.
    pub async fn grant_reverse(&self, step: GrantReverse) -> Result<GrantRow> {
        self.write(step, |tx, step| Box::pin(reverse::reverse(tx, step))).await
    }
}
