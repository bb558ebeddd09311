//! A postal address. Where parcels go, so every part is bounded and free of control characters.

use super::{Name, Phone, PhoneCountry};
use crate::Rejection;
use crate::rejection::FieldProblem;

/// Entries one address book may hold.
pub const ADDRESSES_MAX: u32 = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub recipient: String,
    pub phone: String,
    pub region: String,
    pub street: String,
    pub postcode: String,
}

impl Address {
    /// A phone without a country is one at `home`.
    pub fn new(
        home: &PhoneCountry,
        recipient: &str,
        phone: &str,
        region: &str,
        street: &str,
        postcode: &str,
    ) -> Result<Self, Rejection> {
        Ok(Self {
            recipient: Name::parse_as("recipient", recipient)?.as_str().to_owned(),
            phone: Phone::parse(home, phone)?.as_str().to_owned(),
            region: line("region", region, 1, 200)?,
            street: line("street", street, 1, 300)?,
            postcode: line("postcode", postcode, 0, 16)?,
        })
    }
}

fn line(field: &str, text: &str, min: usize, max: usize) -> Result<String, Rejection> {
    let text = text.trim();
    let length = text.chars().take(max + 1).count();
    match length {
        _ if length < min => Err(Rejection::invalid(field, FieldProblem::TooShort { min: min as u64 })),
        _ if length > max => Err(Rejection::invalid(field, FieldProblem::TooLong { max: max as u64 })),
        _ if text.chars().any(char::is_control) => Err(Rejection::invalid(field, FieldProblem::Malformed)),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_checked_by_name() {
        let home = PhoneCountry::default();
        let field = |r, p, g, s, c| {
            Address::new(&home, r, p, g, s, c).err().and_then(|e| e.field().map(str::to_owned))
        };
        let long = "x".repeat(301);
        for (got, expected) in [
            (field("小明", "13800138000", "上海市 浦东新区", "世纪大道 1 号", "200120"), None),
            (field("", "13800138000", "a", "b", ""), Some("recipient")),
            (field("A", "1", "a", "b", ""), Some("phone")),
            (field("A", "13800138000", "", "b", ""), Some("region")),
            (field("A", "13800138000", "a", &long, ""), Some("street")),
            (field("A", "13800138000", "a", "b\u{7}", ""), Some("street")),
            (field("A", "13800138000", "a", "b", "12345678901234567"), Some("postcode")),
        ] {
            assert_eq!(got.as_deref(), expected);
        }
    }
}
