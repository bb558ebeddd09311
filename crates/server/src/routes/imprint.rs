//! Who runs an activity, its rules and whom to ask, in JSON.

use domain::activity::Presentation;
use serde::Serialize;
use utoipa::ToSchema;

/// What its operator says about an activity. Each text is absent where nothing is said; `_en` is for readers of English.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImprintBody {
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(example = "Windfall Tea Ltd.")]
    pub organiser: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub organiser_en: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rules: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rules_en: String,
    /// A phone number, an address of mail or of a page.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub contact: String,
}

impl From<&Presentation> for ImprintBody {
    fn from(texts: &Presentation) -> Self {
        Self {
            organiser: texts.organiser.clone(),
            organiser_en: texts.organiser_en.clone(),
            rules: texts.rules.clone(),
            rules_en: texts.rules_en.clone(),
            contact: texts.contact.clone(),
        }
    }
}
