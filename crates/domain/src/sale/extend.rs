//! A sale that ends later. An end that was announced is kept: whoever wants an earlier one closes the sale.

use crate::Rejection;
use crate::activity::{Configuration, Content};
use crate::rejection::FieldProblem;
use crate::time::Timestamp;

/// The same with a later end.
pub fn extend_window(content: &Content, until: Timestamp) -> Result<Content, Rejection> {
    let at = content.configuration.window().until;
    if until <= at {
        return Err(Rejection::invalid("until", FieldProblem::NotAfter { at }));
    }
    let mut draft = content.configuration.draft();
    draft.until = until;
    let wrong = |wrong: Vec<Rejection>| wrong.into_iter().next().unwrap_or(Rejection::VersionUnchanged);
    let configuration: Configuration = draft.check().map_err(wrong)?;
    Ok(Content { configuration, ..content.clone() })
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::activity::tests::draft;
    use crate::activity::{ActivityDraft, KindSettings, Plan, WINDOW_MS_MAX};
    use crate::sale::plan_check::rows::plan;

    #[test]
    fn an_end_moves_later_and_nowhere_else() {
        // The window is from 1000 to 2000.
        let configuration = ActivityDraft { kind: KindSettings::Sale, ..draft() }.check().unwrap();
        let content = Content { configuration, plan: Plan::Sale(plan()), cards: Vec::new() };
        let last = 1_000 + WINDOW_MS_MAX;
        for (until, fits) in
            [(2_001, true), (last, true), (2_000, false), (1_999, false), (0, false), (last + 1, false)]
        {
            match extend_window(&content, Timestamp(until)) {
                Ok(later) => {
                    assert!(fits, "{until}");
                    assert_eq!(later.configuration.window().until, Timestamp(until));
                    assert_eq!(later.configuration.window().from, Timestamp(1_000));
                    assert_eq!(later.plan, content.plan);
                }
                Err(rejection) => {
                    assert!(!fits, "{until}: {rejection}");
                    assert_eq!(rejection.field(), Some("until"), "{until}");
                }
            }
        }
    }
}
