//! The one way to write a sale's plan down.
//!
//! ```text
//! sale := 'W' 'B' form (1 byte) ‖ item 1 ‖ pool 8 ‖ name ‖ details ‖ count 1 ‖ each picture ‖ price 8 ‖ currency 3
//!         ‖ units 8 ‖ per user 4 ‖ hold 8 ‖ policy 1 ‖ captcha 1 ‖ people per second 4, 0 for no waiting room
//!         ‖ in form 2: list price 8, 0 for none ‖ name in English ‖ details in English
//! text := length 2 ‖ UTF-8
//! ```
//!
//! Numbers are big-endian. An item without codes has pool 0. What needs nothing of form 2 is written in form 1.

use super::currency::Currency;
use super::plan::{GatePlan, ItemKind, Policy, Price, RoomPlan, SalePlan};
use crate::ids::CodePoolId;
use crate::lottery::LotteryWireError;

pub(crate) const PLAN_HEAD: [u8; 2] = [b'W', b'B'];

const PLAIN: u8 = 1;
const WITH_MORE: u8 = 2;

const PARCEL: u8 = 0;
const CODE: u8 = 1;
const COLLECTIBLE: u8 = 2;
const AT_ORDER: u8 = 0;
const AT_PAYMENT: u8 = 1;

impl SalePlan {
    pub fn encode(&self) -> Vec<u8> {
        let Self {
            item,
            name,
            name_en,
            details,
            details_en,
            pictures,
            price,
            list_price_minor,
            units,
            per_user,
            hold_ms,
            policy,
            gate,
        } = self;
        let more = list_price_minor.is_some() || !name_en.is_empty() || !details_en.is_empty();
        let mut bytes = PLAN_HEAD.to_vec();
        bytes.push(if more { WITH_MORE } else { PLAIN });
        bytes.push(match item {
            ItemKind::Parcel => PARCEL,
            ItemKind::Code { .. } => CODE,
            ItemKind::Collectible => COLLECTIBLE,
        });
        bytes.extend(item.pool().map_or(0, |pool| pool.0).to_be_bytes());
        text(&mut bytes, name);
        text(&mut bytes, details);
        bytes.push(u8::try_from(pictures.len()).unwrap_or(u8::MAX));
        pictures.iter().for_each(|picture| text(&mut bytes, picture));
        bytes.extend(price.minor.to_be_bytes());
        bytes.extend(price.currency.letters());
        bytes.extend(units.to_be_bytes());
        bytes.extend(per_user.to_be_bytes());
        bytes.extend(hold_ms.to_be_bytes());
        bytes.push(match policy {
            Policy::AtOrder => AT_ORDER,
            Policy::AtPayment => AT_PAYMENT,
        });
        let GatePlan { captcha, room } = gate;
        bytes.push(u8::from(*captcha));
        bytes.extend(room.map_or(0, |room| room.per_second).to_be_bytes());
        if more {
            bytes.extend(list_price_minor.unwrap_or(0).to_be_bytes());
            text(&mut bytes, name_en);
            text(&mut bytes, details_en);
        }
        bytes
    }

    /// Reads what stands after the first two bytes.
    pub(crate) fn decode(mut rest: &[u8]) -> Result<Self, LotteryWireError> {
        let rest = &mut rest;
        let form = take_byte(rest)?;
        if !matches!(form, PLAIN | WITH_MORE) {
            return Err(LotteryWireError::Value("form"));
        }
        let item = take_byte(rest)?;
        let pool = CodePoolId(i64::from_be_bytes(take(rest)?));
        let item = match item {
            PARCEL => ItemKind::Parcel,
            CODE => ItemKind::Code { pool },
            COLLECTIBLE => ItemKind::Collectible,
            _ => return Err(LotteryWireError::Value("item")),
        };
        let (name, details) = (take_text(rest)?, take_text(rest)?);
        let pictures = (0..take_byte(rest)?).map(|_| take_text(rest)).collect::<Result<_, _>>()?;
        let minor = u64::from_be_bytes(take(rest)?);
        let letters: [u8; 3] = take(rest)?;
        let currency = std::str::from_utf8(&letters).ok().and_then(Currency::parse);
        let price = Price { minor, currency: currency.ok_or(LotteryWireError::Value("currency"))? };
        let units = u64::from_be_bytes(take(rest)?);
        let per_user = u32::from_be_bytes(take(rest)?);
        let hold_ms = i64::from_be_bytes(take(rest)?);
        let policy = match take_byte(rest)? {
            AT_ORDER => Policy::AtOrder,
            AT_PAYMENT => Policy::AtPayment,
            _ => return Err(LotteryWireError::Value("policy")),
        };
        let captcha = match take_byte(rest)? {
            0 => false,
            1 => true,
            _ => return Err(LotteryWireError::Value("captcha")),
        };
        let per_second = u32::from_be_bytes(take(rest)?);
        let room = (per_second > 0).then_some(RoomPlan { per_second });
        let (list_price_minor, name_en, details_en) = match form {
            WITH_MORE => {
                let minor = u64::from_be_bytes(take(rest)?);
                ((minor > 0).then_some(minor), take_text(rest)?, take_text(rest)?)
            }
            _ => (None, String::new(), String::new()),
        };
        if !rest.is_empty() {
            return Err(LotteryWireError::Long);
        }
        let gate = GatePlan { captcha, room };
        Ok(Self {
            item,
            name,
            name_en,
            details,
            details_en,
            pictures,
            price,
            list_price_minor,
            units,
            per_user,
            hold_ms,
            policy,
            gate,
        })
    }
}

/// Texts that passed their check are far shorter than the length can say.
fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes());
    bytes.extend(text.as_bytes());
}

fn take_text(rest: &mut &[u8]) -> Result<String, LotteryWireError> {
    let length = usize::from(u16::from_be_bytes(take(rest)?));
    let (text, after) = rest.split_at_checked(length).ok_or(LotteryWireError::Short)?;
    *rest = after;
    Ok(std::str::from_utf8(text).map_err(|_| LotteryWireError::Value("text"))?.to_owned())
}

fn take_byte(rest: &mut &[u8]) -> Result<u8, LotteryWireError> {
    let [byte] = take(rest)?;
    Ok(byte)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], LotteryWireError> {
    let (head, after) = rest.split_first_chunk().ok_or(LotteryWireError::Short)?;
    *rest = after;
    Ok(*head)
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::activity::Plan;
    use crate::sale::plan_check::rows::plan;

    #[test]
    fn a_plan_comes_back_as_it_was_written() {
        let room = Some(RoomPlan { per_second: 50 });
        let pool = CodePoolId(i64::MAX);
        for sale in [
            plan(),
            SalePlan { item: ItemKind::Code { pool }, ..plan() },
            SalePlan { item: ItemKind::Collectible, policy: Policy::AtPayment, ..plan() },
            SalePlan { gate: GatePlan { captcha: true, room }, ..plan() },
            SalePlan { pictures: vec!["17".into(), "https://example.com/茶.png".into()], ..plan() },
            SalePlan { list_price_minor: Some(12_900), ..plan() },
            SalePlan { name_en: "Green tea".into(), details_en: "From\nHangzhou.".into(), ..plan() },
            SalePlan {
                name: "绿茶".into(), details: String::new(), units: u64::MAX, hold_ms: -1, ..plan()
            },
        ] {
            let bytes = Plan::Sale(sale.clone()).encode();
            assert_eq!(Plan::decode(&bytes), Ok(Plan::Sale(sale)));
            for short in PLAN_HEAD.len()..bytes.len() {
                assert!(Plan::decode(&bytes[..short]).is_err(), "{short} of {} bytes", bytes.len());
            }
            assert_eq!(Plan::decode(&[bytes, vec![0]].concat()), Err(LotteryWireError::Long));
        }
    }

    /// Plans that were kept before there was a second form are read and written as they were.
    #[test]
    fn a_plan_without_more_has_the_first_form() {
        let form = |sale: SalePlan| sale.encode()[2];
        assert_eq!(form(plan()), PLAIN);
        assert_eq!(form(SalePlan { name_en: "Teapot".into(), ..plan() }), WITH_MORE);
        let unknown = [b"WB\x03".as_slice(), &plan().encode()[3..]].concat();
        assert_eq!(Plan::decode(&unknown), Err(LotteryWireError::Value("form")));
    }

    #[test]
    fn bytes_that_say_nothing_are_refused() {
        let bytes = plan().encode();
        let from_end = |back: usize| bytes.len() - back;
        for (at, value) in [(3, 3), (from_end(6), 2), (from_end(5), 2), (from_end(29), b'c')] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            assert!(matches!(Plan::decode(&bytes), Err(LotteryWireError::Value(_))), "byte {at}");
        }
    }
}
