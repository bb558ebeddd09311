//! What people are shown of the prizes, as a form writes it.

use domain::Rejection;
use domain::activity::Card;
use domain::fulfilment::{Gift, PrizeKind};
use domain::ids::CodePoolId;
use domain::rejection::FieldProblem;

use super::form::{ActivityForm, PrizeForm};
use super::wrong::{COUNTED_ONLY, Wrong, range};

/// Characters of a prize's name in English.
const NAME_EN_MAX: usize = 80;
/// Characters of a prize's details.
pub const DETAILS_MAX: usize = 2_000;
/// Characters of a picture's address.
pub const PICTURE_MAX: usize = 500;

impl ActivityForm {
    /// What people are shown of the prizes.
    pub fn cards(&self) -> Result<Vec<Card>, Vec<Rejection>> {
        let mut wrong = Wrong::default();
        // Who cannot have an id is told so where the plan is read.
        let ids = self.ids(&mut Wrong::default());
        let mut cards = Vec::with_capacity(ids.len());
        for ((at, form), id) in self.prizes.iter().enumerate().zip(ids) {
            let field = |name: &str| format!("prizes[{at}].{name}");
            wrong.text(&field("name_en"), &form.name_en, NAME_EN_MAX);
            wrong.text(&field("details"), &form.details, DETAILS_MAX);
            wrong.text(&field("details_en"), &form.details_en, DETAILS_MAX);
            wrong.text(&field("picture"), &form.picture, PICTURE_MAX);
            if !is_picture(form.picture.trim()) && !wrong.has(&field("picture")) {
                wrong.say(&field("picture"), FieldProblem::Malformed);
            }
            let Some(id) = id else { continue };
            let drawn = self.fallback.is_some_and(|fallback| fallback.prize == id.number());
            let gift = gift(&mut wrong, &field("amount"), form, drawn);
            let (details, picture) = (form.details.trim().to_owned(), form.picture.trim().to_owned());
            let pool = form.pool.as_ref().map(|pool| pool.parse::<CodePoolId>());
            if matches!(pool, Some(Err(_))) {
                wrong.say(&field("pool"), FieldProblem::Malformed);
            }
            cards.extend(gift.map(|gift| Card {
                prize: id,
                gift,
                name_en: form.name_en.trim().to_owned(),
                details,
                details_en: form.details_en.trim().to_owned(),
                picture,
                grant: form.grant.0,
                claim_within_ms: form.claim_within.map(|span| span.0),
                pool: pool.and_then(Result::ok),
            }));
        }
        wrong.or(cards)
    }
}

/// An address on the web or on this site, or a few characters that are none: nothing that a page would run.
fn is_picture(text: &str) -> bool {
    let address = ["https://", "http://", "/"].iter().any(|start| text.starts_with(start));
    address || !text.contains(':')
}

fn gift(wrong: &mut Wrong, field: &str, form: &PrizeForm, drawn: bool) -> Option<Gift> {
    let Some(max) = form.kind.amount_max() else {
        wrong.misplaced(field, form.amount.is_some(), COUNTED_ONLY);
        return Gift::new(form.kind, None);
    };
    // How many points the fallback gives is drawn.
    let min = u64::from(!drawn || form.kind != PrizeKind::Points);
    let amount = form.amount.unwrap_or(0);
    if !(min..=max).contains(&amount) {
        wrong.say(field, if form.amount.is_none() { FieldProblem::Missing } else { range(min, max) });
        return None;
    }
    Gift::new(form.kind, Some(amount))
}
