//! A row, read column by column in the order of the `SELECT`.
//!
//! Reading checks types instead of converting: a column that holds something else than the code expects is
//! a fault with the column's place in it, not a silent zero.

use std::vec::IntoIter;

use domain::player_number::PlayerNumber;
use domain::time::Timestamp;

use crate::failure::Fault;
use crate::value::Value;

/// An owned row and how far it has been read.
#[derive(Clone, Debug)]
pub struct Row {
    rest: IntoIter<Value>,
    read: usize,
}

impl Row {
    pub fn new(values: Vec<Value>) -> Self {
        Self { rest: values.into_iter(), read: 0 }
    }

    pub fn int(&mut self) -> Result<i64, Fault> {
        self.opt_int()?.ok_or_else(|| self.unexpected(&Value::Null, "an integer"))
    }

    pub fn opt_int(&mut self) -> Result<Option<i64>, Fault> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Int(int) => Ok(Some(int)),
            other @ (Value::Text(_) | Value::Bytes(_)) => Err(self.unexpected(&other, "an integer")),
        }
    }

    /// An integer that is not below zero.
    pub fn unsigned(&mut self) -> Result<u64, Fault> {
        let int = self.int()?;
        u64::try_from(int).map_err(|_| self.unexpected(&Value::Int(int), "nothing below zero"))
    }

    pub fn u32(&mut self) -> Result<u32, Fault> {
        let int = self.int()?;
        u32::try_from(int).map_err(|_| self.unexpected(&Value::Int(int), "32 bits"))
    }

    pub fn player_number(&mut self) -> Result<PlayerNumber, Fault> {
        self.opt_player_number()?.ok_or_else(|| self.unexpected(&Value::Null, "a player's number"))
    }

    pub fn opt_player_number(&mut self) -> Result<Option<PlayerNumber>, Fault> {
        let Some(int) = self.opt_int()? else { return Ok(None) };
        let number = u32::try_from(int).ok().and_then(PlayerNumber::new);
        number.map(Some).ok_or_else(|| self.unexpected(&Value::Int(int), "a player's number"))
    }

    pub fn text(&mut self) -> Result<String, Fault> {
        self.opt_text()?.ok_or_else(|| self.unexpected(&Value::Null, "text"))
    }

    pub fn opt_text(&mut self) -> Result<Option<String>, Fault> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            other @ (Value::Int(_) | Value::Bytes(_)) => Err(self.unexpected(&other, "text")),
        }
    }

    pub fn bytes(&mut self) -> Result<Vec<u8>, Fault> {
        self.opt_bytes()?.ok_or_else(|| self.unexpected(&Value::Null, "bytes"))
    }

    pub fn opt_bytes(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Bytes(bytes) => Ok(Some(bytes)),
            other @ (Value::Int(_) | Value::Text(_)) => Err(self.unexpected(&other, "bytes")),
        }
    }

    /// Bytes that must be 32: the width of every hash here.
    pub fn hash(&mut self) -> Result<[u8; 32], Fault> {
        self.opt_hash()?.ok_or_else(|| self.unexpected(&Value::Null, "a hash"))
    }

    pub fn opt_hash(&mut self) -> Result<Option<[u8; 32]>, Fault> {
        let Some(bytes) = self.opt_bytes()? else { return Ok(None) };
        let hash = bytes.try_into().map_err(|bytes| self.unexpected(&Value::Bytes(bytes), "32 bytes"))?;
        Ok(Some(hash))
    }

    pub fn time(&mut self) -> Result<Timestamp, Fault> {
        self.int().map(Timestamp)
    }

    pub fn opt_time(&mut self) -> Result<Option<Timestamp>, Fault> {
        Ok(self.opt_int()?.map(Timestamp))
    }

    /// A boolean, stored as 0 or 1.
    pub fn flag(&mut self) -> Result<bool, Fault> {
        match self.int()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.unexpected(&Value::Int(other), "0 or 1")),
        }
    }

    /// Text that names something: `parse` says what, or that there is no such thing.
    pub fn named<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Fault> {
        self.opt_named(parse)?.ok_or_else(|| self.unexpected(&Value::Null, "a name"))
    }

    pub fn opt_named<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Fault> {
        let Some(text) = self.opt_text()? else { return Ok(None) };
        let named = parse(&text);
        named
            .map(Some)
            .ok_or_else(|| Fault::new(format!("column {} holds an unknown name: {text}", self.read)))
    }

    fn next(&mut self) -> Result<Value, Fault> {
        self.read += 1;
        self.rest.next().ok_or_else(|| Fault::new(format!("column {} was read but not selected", self.read)))
    }

    fn unexpected(&self, value: &Value, expected: &str) -> Fault {
        Fault::new(format!("column {} holds {} where {expected} was expected", self.read, value.kind()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params;

    fn row(values: &[Value]) -> Row {
        Row::new(values.to_vec())
    }

    #[test]
    fn columns_are_read_in_order() {
        let mut row = row(params![5_i64, "a", [7u8; 32], None::<i64>, true, "x"]);
        assert_eq!(row.int().unwrap(), 5);
        assert_eq!(row.text().unwrap(), "a");
        assert_eq!(row.hash().unwrap(), [7; 32]);
        assert_eq!(row.opt_time().unwrap(), None);
        assert!(row.flag().unwrap());
        assert_eq!(row.named(|text| (text == "x").then_some(1)).unwrap(), 1);
    }

    #[test]
    fn a_mismatch_names_the_column() {
        fn check<T: std::fmt::Debug>(value: Value, read: fn(&mut Row) -> Result<T, Fault>, expected: &str) {
            let mut row = row(&[Value::Int(0), value]);
            row.int().unwrap();
            assert_eq!(read(&mut row).unwrap_err().to_string(), expected);
        }
        check(Value::Null, Row::int, "column 2 holds null where an integer was expected");
        check(Value::Int(1), Row::text, "column 2 holds an integer where text was expected");
        check(Value::Text("x".into()), Row::bytes, "column 2 holds text where bytes was expected");
        check(Value::Bytes(vec![1]), Row::hash, "column 2 holds bytes where 32 bytes was expected");
        check(Value::Int(2), Row::flag, "column 2 holds an integer where 0 or 1 was expected");
        check(
            Value::Int(-1),
            Row::unsigned,
            "column 2 holds an integer where nothing below zero was expected",
        );
        check(Value::Int(1 << 32), Row::u32, "column 2 holds an integer where 32 bits was expected");
        check(
            Value::Int(0),
            Row::player_number,
            "column 2 holds an integer where a player's number was expected",
        );
        check(Value::Text("y".into()), |row| row.named(|_| None::<()>), "column 2 holds an unknown name: y");
        assert_eq!(row(&[]).int().unwrap_err().to_string(), "column 1 was read but not selected");
    }
}
