//! What the site says about itself: who runs it, whom to ask, and what players agree to.

use axum::Json;
use axum::extract::State;
use engine::settings::Bilingual;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;

/// The site's own texts. What is not said is empty.
#[derive(Debug, Serialize, ToSchema)]
pub struct SiteBody {
    pub organiser: BilingualBody,
    /// A phone number, an address of mail or of a page.
    pub contact: String,
    pub terms: BilingualBody,
    pub privacy: BilingualBody,
    /// A note for those who are not of age.
    pub minors: BilingualBody,
    /// How reminders reach people, such as "text message"; empty where the organiser does not say.
    pub reminders: BilingualBody,
    /// The name of what players agree to when they sign in: send it as `consent`. Absent where nobody is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "9f86d081884c7d65")]
    pub consent: Option<String>,
}

/// A text, and the same for readers of English; one of them may be empty.
#[derive(Debug, Serialize, ToSchema)]
pub struct BilingualBody {
    pub text: String,
    pub en: String,
}

impl From<&Bilingual> for BilingualBody {
    fn from(Bilingual { text, en }: &Bilingual) -> Self {
        Self { text: text.clone(), en: en.clone() }
    }
}

/// Who runs the site, and what players agree to
#[utoipa::path(get, path = "/site", tag = "site", responses((status = 200, body = SiteBody)))]
pub async fn site(State(app): State<App>) -> Json<SiteBody> {
    let texts = &app.world.settings.site;
    Json(SiteBody {
        organiser: (&texts.organiser).into(),
        contact: texts.contact.clone(),
        terms: (&texts.terms).into(),
        privacy: (&texts.privacy).into(),
        minors: (&texts.minors).into(),
        reminders: (&texts.reminders).into(),
        consent: texts.terms_name(),
    })
}
