//! Currencies, and how amounts of them are written.
//!
//! Amounts are whole numbers of the smallest unit. Nothing is reckoned by a currency; how many digits its smallest unit has
//! is only for showing.

/// Three capital letters, as ISO 4217 has them. What is read back may be a code that is not in use any more; a sale that is
/// submitted has one that [is](Currency::is_known).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency([u8; 3]);

/// What people pay with, by the digits of the smallest unit: ISO 4217 without funds, metals and what was withdrawn.
const KNOWN: [(usize, &str); 3] = [
    (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
    (
        2,
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP \
         CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES \
         KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK \
         NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB \
         TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
    ),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
];
/// Of most.
const DIGITS: usize = 2;

impl Currency {
    pub const CNY: Self = Self(*b"CNY");

    pub fn parse(text: &str) -> Option<Self> {
        let letters: [u8; 3] = text.as_bytes().try_into().ok()?;
        letters.iter().all(u8::is_ascii_uppercase).then_some(Self(letters))
    }

    pub fn is_known(self) -> bool {
        self.known().is_some()
    }

    /// Of the smallest unit: 2 for CNY, 0 for JPY.
    pub fn digits(self) -> usize {
        self.known().unwrap_or(DIGITS)
    }

    fn known(self) -> Option<usize> {
        let has = |codes: &str| codes.split(' ').any(|code| code.as_bytes() == self.0);
        KNOWN.iter().find(|(_, codes)| has(codes)).map(|(digits, _)| *digits)
    }

    pub(super) const fn letters(self) -> [u8; 3] {
        self.0
    }
}

impl std::fmt::Display for Currency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

impl std::fmt::Debug for Currency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// An amount of one currency, in its smallest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    pub minor: u64,
    pub currency: Currency,
}

/// As people read it: `CNY 19.80`.
impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = self.currency.digits();
        let text = format!("{:0width$}", self.minor, width = digits + 1);
        let (whole, part) = text.split_at(text.len() - digits);
        let point = if part.is_empty() { "" } else { "." };
        write!(f, "{} {whole}{point}{part}", self.currency)
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn a_currency_is_three_capitals() {
        for (text, fits) in
            [("CNY", true), ("USD", true), ("usd", false), ("US", false), ("元", false), ("EURO", false)]
        {
            assert_eq!(
                Currency::parse(text).map(|currency| currency.to_string()),
                fits.then(|| text.to_owned())
            );
        }
    }

    #[test]
    fn amounts_have_as_many_digits_as_their_currency() {
        for (code, minor, known, shown) in [
            ("CNY", 1_980, true, "CNY 19.80"),
            ("CNY", 5, true, "CNY 0.05"),
            ("USD", 100, true, "USD 1.00"),
            ("JPY", 500, true, "JPY 500"),
            ("JPY", 0, true, "JPY 0"),
            ("KWD", 1_234, true, "KWD 1.234"),
            ("KWD", 7, true, "KWD 0.007"),
            ("ZZZ", 100, false, "ZZZ 1.00"),
            ("XAU", 100, false, "XAU 1.00"),
        ] {
            let currency = Currency::parse(code).unwrap();
            assert_eq!((currency.is_known(), Money { minor, currency }.to_string().as_str()), (known, shown));
        }
    }

    #[test]
    fn every_code_is_there_once() {
        let all: Vec<&str> = KNOWN.iter().flat_map(|(_, codes)| codes.split(' ')).collect();
        let once: std::collections::BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), once.len());
        assert!(all.iter().all(|code| Currency::parse(code).is_some()), "{all:?}");
    }
}
