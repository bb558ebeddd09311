//! Pearson's chi-square: how far counts lie from the odds, and how often chance alone lies as far.
//!
//! The only place in the lottery with floating point: it judges what was drawn, it never decides a draw.

/// Cells below this expectation make the approximation poor, and are put together.
const EXPECTED_MIN: f64 = 5.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    pub statistic: f64,
    pub degrees_of_freedom: usize,
    /// The share of fair runs that lie at least as far from the odds.
    pub p_value: f64,
}

/// Compares counts with weights, cell by cell. Nothing if fewer than two cells are left to compare. Cells in which
/// fewer than five are expected are put together; a hit in a cell of weight zero is as far off as can be.
pub fn chi_square(cells: &[(u64, u64)]) -> Option<ChiSquare> {
    let (drawn, weight) = cells.iter().fold((0.0, 0.0), |(drawn, weight), (count, odds)| {
        (drawn + to_float(*count), weight + to_float(*odds))
    });
    if cells.iter().any(|(count, odds)| *odds == 0 && *count > 0) {
        return Some(ChiSquare { statistic: f64::INFINITY, degrees_of_freedom: 1, p_value: 0.0 });
    }
    let mut small = (0.0, 0.0);
    let mut compared = Vec::new();
    for (count, odds) in cells.iter().filter(|(_, odds)| *odds > 0) {
        let expected = drawn * to_float(*odds) / weight;
        if expected < EXPECTED_MIN {
            small = (small.0 + to_float(*count), small.1 + expected);
        } else {
            compared.push((to_float(*count), expected));
        }
    }
    if small.1 >= EXPECTED_MIN {
        compared.push(small);
    }
    let degrees_of_freedom = compared.len().checked_sub(1).filter(|degrees| *degrees > 0)?;
    let statistic = compared.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    Some(ChiSquare { statistic, degrees_of_freedom, p_value: p_value(statistic, degrees_of_freedom) })
}

/// The probability that a chi-square variable exceeds a value.
pub fn p_value(statistic: f64, degrees_of_freedom: usize) -> f64 {
    let shape = to_float(degrees_of_freedom as u64) / 2.0;
    upper_gamma(shape, statistic.max(0.0) / 2.0)
}

/// The regularised upper incomplete gamma function Q(a, x): a series where it converges fast, a continued fraction
/// (Lentz) elsewhere.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if x.is_infinite() {
        return 0.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    let steps = ROUNDS_MAX;
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for step in 1..steps {
            term *= x / (a + f64::from(step));
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return (1.0 - sum * scale).clamp(0.0, 1.0);
    }
    let tiny = f64::MIN_POSITIVE / f64::EPSILON;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for step in 1..steps {
        let step = f64::from(step);
        let numerator = -step * (step - a);
        b += 2.0;
        d = numerator * d + b;
        c = b + numerator / c;
        if d.abs() < tiny {
            d = tiny;
        }
        if c.abs() < tiny {
            c = tiny;
        }
        d = 1.0 / d;
        let factor = d * c;
        fraction *= factor;
        if (factor - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    (fraction * scale).clamp(0.0, 1.0)
}

/// Terms of a series at most; thousands of degrees of freedom need some hundreds.
const ROUNDS_MAX: u32 = 10_000;

/// The logarithm of the gamma function for positive values: Lanczos' approximation with g = 7 and nine terms.
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        return (std::f64::consts::PI / (std::f64::consts::PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut sum = 0.999_999_999_999_809_9;
    let mut at = x;
    for term in TERMS {
        at += 1.0;
        sum += term / at;
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[expect(clippy::cast_precision_loss, reason = "a statistic, not a decision")]
fn to_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod rows {
    use super::*;

    fn near(got: f64, expected: f64, what: &str) {
        assert!((got - expected).abs() <= expected.abs() * 1e-9 + 1e-300, "{what}: {got} is not {expected}");
    }

    /// From tables for odd degrees; for even ones from the closed form, a finite sum, computed to sixty places.
    #[test]
    fn p_values_that_are_known() {
        for (statistic, degrees, expected) in [
            (0.0, 1, 1.0),
            (3.841_458_820_694_124, 1, 0.05),
            (6.634_896_601_021_213, 1, 0.01),
            (2.0, 2, (-1.0_f64).exp()),
            (100.0, 2, (-50.0_f64).exp()),
            (7.814_727_903_251_179, 3, 0.05),
            (4.0, 4, 3.0 * (-2.0_f64).exp()),
            (18.307_038_053_275_146, 10, 0.05),
            (124.342_113_404_004_07, 100, 0.05),
            (900.0, 1_000, 0.989_282_761_908_710_3),
            (1_074.0, 1_000, 0.051_511_805_248_235_64),
            (1_400.0, 1_000, 7.032_145_641_828_589e-16),
            (3_000.0, 3_000, 0.496_566_438_839_651_36),
            (f64::INFINITY, 7, 0.0),
        ] {
            near(p_value(statistic, degrees), expected, &format!("{statistic} with {degrees}"));
        }
    }

    #[test]
    fn logarithms_of_gamma_that_are_known() {
        for (x, expected) in [
            (0.5, std::f64::consts::PI.sqrt().ln()),
            (3.0, 2.0_f64.ln()),
            (10.0, 362_880.0_f64.ln()),
            (0.25, 3.625_609_908_221_908_f64.ln()),
        ] {
            near(ln_gamma(x), expected, &format!("at {x}"));
        }
    }

    #[test]
    fn counts_against_odds() {
        let fair = chi_square(&[(16, 1), (18, 1), (16, 1), (14, 1), (12, 1), (12, 1)]).unwrap();
        near(fair.statistic, 2.0, "a die");
        assert_eq!(fair.degrees_of_freedom, 5);
        near(fair.p_value, 0.849_145_036_084_609_8, "a die");
        let loaded = chi_square(&[(400, 130_000), (600, 870_000)]).unwrap();
        assert!(loaded.p_value < 1e-100, "13 % that came as 40 %: {loaded:?}");
        assert_eq!(chi_square(&[(1_000, 5)]), None, "one cell says nothing");
        assert_eq!(chi_square(&[(999, 999_999), (1, 1)]), None, "nor does one beside a rarity");
        let joined = chi_square(&[(9_980, 9_980), (5, 4), (3, 4), (12, 12)]).unwrap();
        assert_eq!(joined.degrees_of_freedom, 2, "rarities are put together");
        assert!(chi_square(&[(10, 1), (10, 1), (1, 0)]).unwrap().p_value <= 0.0, "what cannot be came");
    }
}
