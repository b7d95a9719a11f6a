//! The configuration as the canonical JSON that snapshots carry on every side.

use prospector::{Config, RewardProfile};

/// Canonical JSON (sorted keys, no spaces) of a configuration, letter for letter as the Python side writes it.
pub(crate) fn canonical(config: &Config) -> String {
    let profile = match config.reward_profile {
        RewardProfile::V1 => "v1",
        RewardProfile::V2 => "v2",
    };
    format!(
        "{{\"fractures\":{},\"hazards\":{},\"invalid_action_pen\":{},\"market_noise\":{},\"pirates\":{},\
         \"price_impact\":{},\"reward_profile\":\"{profile}\",\"scan_noise\":{},\"time_max\":{}}}",
        config.fractures,
        config.hazards,
        number(config.invalid_action_pen),
        config.market_noise,
        config.pirates,
        config.price_impact,
        config.scan_noise,
        number(config.time_max),
    )
}

/// The shortest digits that read back as this number. Python signs exponents and gives them two digits; Rust does not.
fn number(value: f64) -> String {
    let text = format!("{value:?}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        let cases = [
            (20000.0, "20000.0"),
            (0.01, "0.01"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.2345678901234568e17, "1.2345678901234568e+17"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
        ];
        for (value, expected) in cases {
            assert_eq!(number(value), expected);
        }
    }
}
