//! The condition of an edge, brought to the form that is evaluated.
//!
//! Every comparison of numbers becomes one range with both ends in it, so `> 17` and `>= 18` are the same test, and
//! "nothing can fit" is a range whose ends have crossed.

use super::check::VALUES_MAX;
use super::draft::{Operand, When};
use super::problem::TreeFlaw;
use crate::account::{FactKey, FactKind, FactValue};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Range { from: i64, to: i64 },
    Numbers(Vec<i64>),
    Flag(bool),
    Labels(Vec<String>),
}

impl Test {
    pub fn fits(&self, value: &FactValue) -> bool {
        match (self, value) {
            (Self::Range { from, to }, FactValue::Number(number)) => (from..=to).contains(&number),
            (Self::Numbers(numbers), FactValue::Number(number)) => numbers.binary_search(number).is_ok(),
            (Self::Flag(flag), FactValue::Flag(value)) => flag == value,
            (Self::Labels(labels), FactValue::Text(text)) => labels.binary_search(text).is_ok(),
            (Self::Labels(labels), FactValue::Tags(tags)) => {
                tags.iter().any(|tag| labels.binary_search(tag).is_ok())
            }
            (Self::Range { .. } | Self::Numbers(_) | Self::Flag(_) | Self::Labels(_), _) => false,
        }
    }
}

/// The test of a condition that is not the default; `None` for the default.
pub(super) fn compile(fact: &FactKey, kind: FactKind, when: &When) -> Result<Option<Test>, TreeFlaw> {
    let test = match kind {
        FactKind::Number => number(when)?,
        FactKind::Flag => match when {
            When::Otherwise => None,
            When::Equal(Operand::Flag(flag)) => Some(Test::Flag(*flag)),
            _ => return Err(TreeFlaw::TypeMismatch),
        },
        FactKind::Text | FactKind::Tags => match when {
            When::Otherwise => None,
            When::Equal(operand) => Some(labels(fact, std::slice::from_ref(operand))?),
            When::OneOf(operands) => Some(labels(fact, operands)?),
            When::Above(_) | When::Below(_) | When::AtLeast(_) | When::AtMost(_) | When::Between { .. } => {
                return Err(TreeFlaw::TypeMismatch);
            }
        },
    };
    Ok(test)
}

fn number(when: &When) -> Result<Option<Test>, TreeFlaw> {
    let value = |operand: &Operand| match operand {
        Operand::Number(number) => Ok(*number),
        Operand::Text(_) | Operand::Flag(_) => Err(TreeFlaw::TypeMismatch),
    };
    // Beyond the largest number there is nothing: the range is empty.
    let (from, to) = match when {
        When::Otherwise => return Ok(None),
        When::OneOf(operands) => {
            let numbers = operands.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            return sort_values(numbers).map(|numbers| Some(Test::Numbers(numbers)));
        }
        When::Equal(operand) => (Some(value(operand)?), Some(value(operand)?)),
        When::Above(operand) => (value(operand)?.checked_add(1), Some(i64::MAX)),
        When::Below(operand) => (Some(i64::MIN), value(operand)?.checked_sub(1)),
        When::AtLeast(operand) => (Some(value(operand)?), Some(i64::MAX)),
        When::AtMost(operand) => (Some(i64::MIN), Some(value(operand)?)),
        When::Between { from, to } => (Some(value(from)?), Some(value(to)?)),
    };
    match (from, to) {
        (Some(from), Some(to)) if from <= to => Ok(Some(Test::Range { from, to })),
        _ => Err(TreeFlaw::RangeEmpty),
    }
}

fn labels(fact: &FactKey, operands: &[Operand]) -> Result<Test, TreeFlaw> {
    let text = |operand: &Operand| match operand {
        Operand::Text(text) => {
            FactValue::text(fact, text).map(|_| text.clone()).map_err(|_| TreeFlaw::ValueMalformed)
        }
        Operand::Number(_) | Operand::Flag(_) => Err(TreeFlaw::TypeMismatch),
    };
    let labels = operands.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    sort_values(labels).map(Test::Labels)
}

/// Sorted, for a binary search.
fn sort_values<T: Ord>(mut values: Vec<T>) -> Result<Vec<T>, TreeFlaw> {
    if values.is_empty() {
        return Err(TreeFlaw::RangeEmpty);
    }
    if values.len() > VALUES_MAX {
        return Err(TreeFlaw::TooManyValues);
    }
    values.sort_unstable();
    Ok(values)
}
