//! A player at a connection: each request is the next player's, with an id of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::load::LoadCaller;

/// `wfs_` and 64 hexadecimal digits.
const TOKEN_BYTES: usize = 68;
/// Eight hexadecimal digits for the row and connection, sixteen for the request.
const ID_DIGITS: usize = 24;
/// What a server that is busy says by name; everything else but a draw is an error.
const NAMED: [&[u8]; 2] = [br#""code":"overloaded""#, br#""code":"rate_limited""#];

#[derive(Debug)]
pub struct DrawCaller {
    request: Vec<u8>,
    token_at: usize,
    id_at: usize,
    tokens: Arc<[String]>,
    /// Whose turn is next, and how far it is to the one after.
    next: usize,
    step: usize,
    /// No other connection of any row has it.
    place: u32,
}

/// Where a caller sits.
#[derive(Clone, Copy, Debug)]
pub struct CallerSlot {
    pub row: u32,
    pub connection: usize,
    pub connections: usize,
}

impl DrawCaller {
    pub fn new(address: SocketAddr, activity: &str, tokens: &Arc<[String]>, seat: CallerSlot) -> Self {
        let head = format!("POST /api/v1/play/activities/{activity}/draws HTTP/1.1\r\nhost: {address}\r\n");
        let cookie = "cookie: windfall_session=";
        let body = format!(r#"{{"id":"{:0ID_DIGITS$}"}}"#, 0);
        let rest =
            format!("\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let token_at = head.len() + cookie.len();
        let id_at = token_at + TOKEN_BYTES + rest.len() - ID_DIGITS - 2;
        let request = format!("{head}{cookie}{:TOKEN_BYTES$}{rest}", "").into_bytes();
        let place = seat.row << 16 | u32::try_from(seat.connection).unwrap_or(u32::MAX) & 0xffff;
        let (tokens, next, step) = (Arc::clone(tokens), seat.connection, seat.connections);
        Self { request, token_at, id_at, tokens, next, step, place }
    }
}

impl LoadCaller for DrawCaller {
    fn request(&mut self, sequence: u64, out: &mut Vec<u8>) {
        let token = &self.tokens[self.next % self.tokens.len()];
        self.next += self.step;
        self.request[self.token_at..self.token_at + TOKEN_BYTES].copy_from_slice(token.as_bytes());
        let id = &mut self.request[self.id_at..self.id_at + ID_DIGITS];
        write_hex(u64::from(self.place), &mut id[..8]);
        write_hex(sequence, &mut id[8..]);
        out.extend_from_slice(&self.request);
    }

    fn answer(&mut self, _sequence: u64, status: u16, body: &[u8]) -> bool {
        match status {
            201 => body.starts_with(br#"{"ticket":""#),
            429 | 503 => NAMED.iter().any(|name| body.windows(name.len()).any(|part| part == *name)),
            _ => false,
        }
    }
}

/// The number's last digits, as many as there is room for.
fn write_hex(mut number: u64, out: &mut [u8]) {
    for digit in out.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(number & 15) as usize];
        number >>= 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_another_players_with_another_id() {
        let tokens: Arc<[String]> = (0..3).map(|n| format!("wfs_{n:064x}")).collect();
        let address = ([127, 0, 0, 1], 80).into();
        let seat = CallerSlot { row: 2, connection: 1, connections: 4 };
        let mut caller = DrawCaller::new(address, "77", &tokens, seat);
        for (sequence, player) in [(0, 1), (1, 2), (26, 0)] {
            let mut out = Vec::new();
            caller.request(sequence, &mut out);
            let text = String::from_utf8(out).unwrap();
            let body = format!(r#"{{"id":"00020001{sequence:016x}"}}"#);
            let expected = format!(
                "POST /api/v1/play/activities/77/draws HTTP/1.1\r\nhost: 127.0.0.1:80\r\n\
                 cookie: windfall_session={}\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\n\r\n{body}",
                tokens[player],
                body.len()
            );
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn only_draws_and_named_refusals_are_expected() {
        let tokens: Arc<[String]> = vec![String::new()].into();
        let seat = CallerSlot { row: 0, connection: 0, connections: 1 };
        let mut caller = DrawCaller::new(([127, 0, 0, 1], 80).into(), "77", &tokens, seat);
        for (status, body, expected) in [
            (201, &br#"{"ticket":"5f"}"#[..], true),
            (201, b"{}", false),
            (200, br#"{"ticket":"5f"}"#, false),
            (503, br#"{"type":"x","code":"overloaded"}"#, true),
            (503, br#"{"code":"ledger_unavailable"}"#, false),
            (429, br#"{"code":"rate_limited"}"#, true),
            (401, br#"{"code":"unauthenticated"}"#, false),
        ] {
            assert_eq!(caller.answer(0, status, body), expected, "{status}");
        }
    }
}
