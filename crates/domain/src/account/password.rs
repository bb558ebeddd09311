//! What may be a password. Length does the work; composition rules are left out on purpose.

use super::Phone;
use crate::Rejection;

pub const PASSWORD_MIN: usize = 8;
/// Hashing costs by length: nobody may send a novel.
pub const PASSWORD_MAX: usize = 128;

pub fn check_password(password: &str, phone: &Phone) -> Result<(), Rejection> {
    let length = password.chars().take(PASSWORD_MAX + 1).count();
    let first = password.chars().next();
    let repeated = password.chars().all(|c| Some(c) == first);
    let digits: String = password.chars().filter(char::is_ascii_digit).collect();
    let is_phone = !digits.is_empty()
        && digits.len() == password.trim_start_matches('+').chars().count()
        && phone.as_str().ends_with(&digits);
    if !(PASSWORD_MIN..=PASSWORD_MAX).contains(&length) || repeated || is_phone {
        return Err(Rejection::PasswordWeak { min: PASSWORD_MIN });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords() {
        let phone = Phone::stored("+8613800138000").unwrap();
        let long = "ab".repeat(65);
        for (password, fits) in [
            ("correct horse", true),
            ("八个汉字就可以了", true),
            ("1234567", false),
            ("aaaaaaaaaaaa", false),
            ("13800138000", false),
            ("+8613800138000", false),
            ("38001380", true),
            (long.as_str(), false),
        ] {
            assert_eq!(check_password(password, &phone).is_ok(), fits, "{password}");
        }
    }
}
