//! From the defaults, a file, the environment and the command line to one [`Config`].
//!
//! Each source lays its values over the ones before it. Everything wrong in any of them is collected,
//! with the source it came from, before anything is refused. Only [`load`] looks at the world; the rest
//! works on values.

use std::collections::BTreeMap;
use std::path::Path;

use domain::nearest::nearest;
use toml::{Table, Value};

use super::rules::{self, RULES, Rule};
use super::{Config, ConfigProblem, Problems};

const DEFAULTS: &str = include_str!("../../../../windfall.default.toml");
/// Read from the working directory when no file is named.
const USUAL_FILE: &str = "windfall.toml";
const VARIABLE_PREFIX: &str = "WINDFALL__";

/// Loads the settings. `file` is the one named by `--config`; without it `windfall.toml` in the working
/// directory counts if it exists. `overrides` are dotted keys and values from the command line.
pub fn load(file: Option<&Path>, overrides: &[(String, String)]) -> Result<Config, Problems> {
    let usual = Path::new(USUAL_FILE);
    let path = file.or_else(|| usual.exists().then_some(usual));
    let file = path.map(|path| (path.display().to_string(), std::fs::read_to_string(path)));
    let mut variables: Vec<_> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.to_string_lossy().into_owned())))
        .collect();
    variables.sort();

    let mut settings = Settings::defaults();
    match file {
        None => {}
        Some((name, Ok(text))) => settings.overlay_file(&name, &text),
        Some((name, Err(error))) => settings.unreadable(&name, &error.to_string()),
    }
    settings.overlay_variables(&variables);
    settings.overlay_options(overrides);
    settings.finish()
}

impl Config {
    /// The settings of someone who has set nothing: what `doctor` goes on with when loading failed.
    pub fn defaults() -> Result<Self, Problems> {
        Settings::defaults().finish()
    }
}

/// Values on their way to a [`Config`], all of them accepted by their rules, and what was wrong so far.
#[derive(Default)]
struct Settings {
    values: BTreeMap<String, Value>,
    problems: Vec<ConfigProblem>,
}

impl Settings {
    fn defaults() -> Self {
        let mut settings = Self::default();
        settings.overlay_file("windfall.default.toml", DEFAULTS);
        settings
    }

    fn overlay_file(&mut self, name: &str, text: &str) {
        match text.parse::<Table>() {
            Ok(table) => {
                let mut leaves = Vec::new();
                flatten("", table, &mut leaves);
                for (key, value) in leaves {
                    self.set(key, value, name);
                }
            }
            Err(error) => {
                // The parser's own text quotes the line, which may hold a secret.
                let start = error.span().map_or(0, |span| span.start);
                let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
                self.unreadable(name, &format!("line {line}: {}", error.message()));
            }
        }
    }

    fn overlay_variables(&mut self, variables: &[(String, String)]) {
        for (name, text) in variables {
            if let Some(key) = name.strip_prefix(VARIABLE_PREFIX) {
                self.set_text(key.to_lowercase().replace("__", "."), text, name);
            }
        }
    }

    fn overlay_options(&mut self, overrides: &[(String, String)]) {
        for (key, text) in overrides {
            self.set_text(key.clone(), text, "the command line");
        }
    }

    fn set_text(&mut self, key: String, text: &str, source: &str) {
        let value = rule(&key).map_or_else(|| Value::from(text), |rule| to_typed(rule, text));
        self.set(key, value, source);
    }

    /// Takes a value that its rule accepts. A refused one leaves the earlier value in place, so that one
    /// mistake is not reported again by what would follow from it.
    fn set(&mut self, key: String, value: Value, source: &str) {
        let source = source.to_owned();
        match rule(&key) {
            Some(rule) if rule.accepts(&value) => {
                self.values.insert(key, value);
            }
            Some(rule) => {
                let found = describe(rule, &value);
                self.problems.push(ConfigProblem::Refused { key, source, found, expected: rule.expected() });
            }
            // A known section with nothing in it changes nothing.
            None if value.as_table().is_some_and(Table::is_empty) && is_section(&key) => {}
            None if is_section(&key) => {
                let found = format!("{value} ({})", value.type_str());
                let expected = "a section".to_owned();
                self.problems.push(ConfigProblem::Refused { key, source, found, expected });
            }
            None => {
                let names = RULES.iter().flat_map(|(name, _)| [Some(*name), section(name)]).flatten();
                let nearest = nearest(&key, names).map(str::to_owned);
                self.problems.push(ConfigProblem::Unknown { key, source, nearest });
            }
        }
    }

    fn unreadable(&mut self, source: &str, reason: &str) {
        self.problems
            .push(ConfigProblem::Unreadable { source: source.to_owned(), reason: reason.to_owned() });
    }

    fn finish(self) -> Result<Config, Problems> {
        let Self { values, mut problems } = self;
        match nest(values).try_into::<Config>() {
            Ok(config) => {
                let conflicts = rules::conflicts(&config).into_iter();
                problems.extend(conflicts.map(|sentence| ConfigProblem::Conflict { sentence }));
                if problems.is_empty() { Ok(config) } else { Err(Problems(problems)) }
            }
            Err(error) => {
                // Not the operator's doing: the defaults, the rules and the structs disagree.
                problems.push(ConfigProblem::Conflict { sentence: error.message().to_owned() });
                Err(Problems(problems))
            }
        }
    }
}

fn rule(key: &str) -> Option<&'static Rule> {
    RULES.iter().find(|(name, _)| *name == key).map(|(_, rule)| rule)
}

fn section(key: &str) -> Option<&str> {
    key.split_once('.').map(|(section, _)| section)
}

fn is_section(key: &str) -> bool {
    RULES.iter().any(|(name, _)| section(name) == Some(key))
}

/// `{http: {listen: …}}` to `http.listen: …`. An empty table, and one where a value belongs, is a leaf.
fn flatten(prefix: &str, table: Table, leaves: &mut Vec<(String, Value)>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value {
            Value::Table(inner) if !inner.is_empty() && rule(&key).is_none() => flatten(&key, inner, leaves),
            leaf => leaves.push((key, leaf)),
        }
    }
}

/// The way back from [`flatten`]; accepted keys have one section at most.
fn nest(values: BTreeMap<String, Value>) -> Table {
    let mut table = Table::new();
    for (key, value) in values {
        match key.split_once('.') {
            None => {
                table.insert(key, value);
            }
            Some((section, name)) => {
                let section = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
                if let Value::Table(section) = section {
                    section.insert(name.to_owned(), value);
                }
            }
        }
    }
    table
}

/// A text from the environment or the command line as the type its key has: read as TOML where that gives
/// this type, otherwise the text itself, for a list its parts between commas.
fn to_typed(rule: &Rule, text: &str) -> Value {
    let parsed = text.trim().parse::<Value>().ok();
    match (rule, parsed) {
        (Rule::Switch, Some(value @ Value::Boolean(_)))
        | (Rule::Integer(_), Some(value @ Value::Integer(_)))
        | (
            Rule::OneOf(_) | Rule::Text(..) | Rule::Secret | Rule::LongSecret,
            Some(value @ Value::String(_)),
        )
        | (Rule::List(..) | Rule::Integers(_), Some(value @ Value::Array(_))) => value,
        (Rule::List(..), _) => {
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            Value::Array(parts.map(Value::from).collect())
        }
        _ => Value::from(text),
    }
}

/// Completes "`key` is …".
fn describe(rule: &Rule, value: &Value) -> String {
    const SHOWN_CHARS_MAX: usize = 80;
    let shown = value.to_string();
    match (rule, value) {
        (Rule::LongSecret, Value::String(text)) => format!("a text of {} characters", text.chars().count()),
        (Rule::Secret | Rule::LongSecret, value) => format!("of the type {}", value.type_str()),
        (_, Value::Table(_)) => "a section".to_owned(),
        _ if shown.chars().count() > SHOWN_CHARS_MAX => {
            format!("{}… ({})", shown.chars().take(SHOWN_CHARS_MAX).collect::<String>(), value.type_str())
        }
        _ => format!("{shown} ({})", value.type_str()),
    }
}

#[cfg(test)]
mod tests;
