//! What is said of a parcel on its way, and what another system says of what it was told to give.

use crate::Rejection;
use crate::account::name::short_text;

/// Characters of a carrier's name.
pub const CARRIER_MAX: usize = 60;
/// Characters of a tracking number.
pub const TRACKING_MAX: usize = 100;
/// Characters of what another system says.
pub const NOTE_MAX: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shipment {
    pub carrier: String,
    pub tracking: String,
}

impl Shipment {
    pub fn new(carrier: &str, tracking: &str) -> Result<Self, Rejection> {
        Ok(Self {
            carrier: short_text("carrier", carrier, 1, CARRIER_MAX)?,
            tracking: short_text("tracking", tracking, 1, TRACKING_MAX)?,
        })
    }
}

/// What another system says of it; nothing where it says nothing.
pub fn report_note(text: &str) -> Result<Option<String>, Rejection> {
    let text = short_text("note", text, 0, NOTE_MAX)?;
    Ok((!text.is_empty()).then_some(text))
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn texts_are_bounded_and_plain() {
        let long = "x".repeat(TRACKING_MAX + 1);
        for (carrier, tracking, field) in [
            (" SF Express ", " SF1029384756 ", None),
            ("", "1", Some("carrier")),
            ("SF", " ", Some("tracking")),
            ("SF", long.as_str(), Some("tracking")),
            ("SF", "a\u{0}b", Some("tracking")),
        ] {
            let got = Shipment::new(carrier, tracking);
            assert_eq!(got.as_ref().err().and_then(Rejection::field), field, "{carrier:?} {tracking:?}");
            if let Ok(shipment) = got {
                assert_eq!(
                    (shipment.carrier.as_str(), shipment.tracking.as_str()),
                    ("SF Express", "SF1029384756")
                );
            }
        }
        let note = |text: &str| report_note(text).map_err(|rejection| rejection.code());
        assert_eq!(note(" "), Ok(None));
        assert_eq!(note(" coupon 12 "), Ok(Some("coupon 12".to_owned())));
        assert_eq!(note(&"x".repeat(NOTE_MAX + 1)), Err("invalid_field"));
    }
}
