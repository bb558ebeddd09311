//! Something for every pocket: chances at the wheel, a redeem code, a parcel.

use domain::ids::ActivityId;
use domain::page::{PAGE_MAX, PageRequest};
use domain::redeem::SheetKind;
use domain::shop::{OfferChange, OfferDraft, OfferKind, OfferState};
use engine::fulfilment::redeem_codes::{LOW_BELOW_DEFAULT, code_pool_list, code_pool_make, codes_import};
use engine::shop::{NewOffer, offer_edit, offer_make};
use store::model::Actor;

use crate::node::Node;

const POOL: &str = "商城兑换码 Shop codes";
const CODES: u32 = 50;

/// Makes what is missing; running it again changes nothing.
pub async fn seed(node: &Node, wheel: ActivityId) -> anyhow::Result<()> {
    let world = &node.world;
    let known = world.db.offer_list(None, PageRequest::first(PAGE_MAX)).await?.items;
    let by = || world.audit_stamp(Actor::System, "demo data", "demo");
    let pool = match code_pool_list(world, Some(POOL), PageRequest::first(1)).await?.items.first() {
        Some(pool) => pool.id,
        None => code_pool_make(world, by(), None, POOL, LOW_BELOW_DEFAULT).await?.id,
    };
    let codes: String = (1..=CODES).map(|n| format!("DEMO-SHOP-{n:04}\n")).collect();
    codes_import(world, by(), pool, SheetKind::List, codes.into_bytes()).await?;
    for ([name, name_en], [text, text_en], gives, price, limit, stock) in [
        (
            ["转盘机会 3 次", "Three spins"],
            ["立即到账", "Yours at once"],
            OfferKind::Chances { activity: wheel, chances: 3 },
            60,
            0,
            1_000,
        ),
        (
            ["视频会员周卡", "A week of films"],
            ["兑换码", "A redeem code"],
            OfferKind::Code { pool },
            120,
            2,
            i64::from(CODES),
        ),
        (["明前龙井", "Longjing tea"], ["包邮", "Free delivery"], OfferKind::Parcel, 900, 1, 20),
    ] {
        if known.iter().any(|offer| offer.terms.name == name) {
            continue;
        }
        let [name, name_en, text, text_en] = [name, name_en, text, text_en].map(str::to_owned);
        let draft = OfferDraft { name, name_en, text, text_en, gives, price, limit, from: None, until: None };
        let made = offer_make(world, by(), None, NewOffer { draft, stock }).await?;
        let on = OfferChange { state: Some(OfferState::On), ..OfferChange::default() };
        offer_edit(world, by(), made.row.id, made.row.edition, on).await?;
    }
    Ok(())
}
