//! What is asked of the index, in the words of each database. Terms have neither quotes nor blanks: they are letters, digits and
//! marks of their own, so nothing that somebody typed can be an operator.

use domain::search::SearchCondition;

use crate::tx::Dialect;

pub(super) fn write(condition: &SearchCondition, dialect: Dialect) -> String {
    let SearchCondition { all, but_not } = condition;
    let words = match dialect {
        Dialect::Sqlite => Words { quote: '"', and: " AND ", or: " OR ", not: " NOT " },
        Dialect::Postgres => Words { quote: '\'', and: " & ", or: " | ", not: " & !" },
    };
    if but_not.is_empty() {
        return words.all(all);
    }
    format!("{}{}{}", words.all(all), words.not, words.all(but_not))
}

struct Words {
    quote: char,
    and: &'static str,
    or: &'static str,
    not: &'static str,
}

impl Words {
    fn all(&self, groups: &[Vec<String>]) -> String {
        let groups: Vec<String> = groups.iter().map(|group| self.any(group)).collect();
        format!("({})", groups.join(self.and))
    }

    fn any(&self, group: &[String]) -> String {
        let quote = self.quote;
        let terms: Vec<String> = group.iter().map(|term| format!("{quote}{term}{quote}")).collect();
        format!("({})", terms.join(self.or))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_written_for_each_database() {
        let groups = |groups: &[&[&str]]| -> Vec<Vec<String>> {
            groups.iter().map(|group| group.iter().map(ToString::to_string).collect()).collect()
        };
        let condition = SearchCondition { all: groups(&[&["a"], &["b", "c"]]), but_not: groups(&[&["d"]]) };
        for (dialect, expected) in [
            (Dialect::Sqlite, r#"(("a") AND ("b" OR "c")) NOT (("d"))"#),
            (Dialect::Postgres, "(('a') & ('b' | 'c')) & !(('d'))"),
        ] {
            assert_eq!(write(&condition, dialect), expected);
        }
    }
}
