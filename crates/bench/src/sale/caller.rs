//! A buyer at a connection: each request is the next buyer's, with their own token.

use std::net::SocketAddr;
use std::sync::Arc;

use domain::ids::ActivityId;

use super::market::AttemptTicket;
use crate::load::LoadCaller;

/// What is heard in front of what is gone. Whenever the sale is published anew, by the job that starts it for instance, one
/// asks the ledger again. Who comes in that moment goes on to their token: one that was used in the rush is spent, and one
/// that was not makes an attempt (202), which the ledger refuses.
const GONE: [&[u8]; 2] = [br#""code":"sold_out""#, br#""code":"token_spent""#];

/// What the answers of a row should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedAttempt {
    SoldOut,
    TakenIn,
}

#[derive(Debug)]
pub struct AttemptCaller {
    attempts: AttemptRequests,
    tickets: Arc<[AttemptTicket]>,
    /// Whose turn is next, and how far it is to the one after.
    next: usize,
    step: usize,
    expected: ExpectedAttempt,
}

impl AttemptCaller {
    pub fn new(
        address: SocketAddr,
        sale: ActivityId,
        tickets: &Arc<[AttemptTicket]>,
        (connection, connections): (usize, usize),
        expected: ExpectedAttempt,
    ) -> Self {
        let attempts = AttemptRequests::new(address, sale);
        Self { attempts, tickets: Arc::clone(tickets), next: connection, step: connections, expected }
    }
}

impl LoadCaller for AttemptCaller {
    fn request(&mut self, _sequence: u64, out: &mut Vec<u8>) {
        let ticket = &self.tickets[self.next % self.tickets.len()];
        self.next += self.step;
        self.attempts.write(ticket, out);
    }

    fn answer(&mut self, _sequence: u64, status: u16, body: &[u8]) -> bool {
        match self.expected {
            ExpectedAttempt::SoldOut => {
                status == 202 || (status == 409 && GONE.iter().any(|code| contains(body, code)))
            }
            ExpectedAttempt::TakenIn => status == 202,
        }
    }
}

/// The bytes of attempts at one sale; what is the same in all of them is written once.
#[derive(Clone, Debug)]
pub struct AttemptRequests {
    head: String,
}

impl AttemptRequests {
    pub fn new(address: SocketAddr, sale: ActivityId) -> Self {
        let head = format!(
            "POST /api/v1/sales/{sale}/attempts HTTP/1.1\r\nhost: {address}\r\n\
             content-type: application/json\r\ncookie: windfall_session="
        );
        Self { head }
    }

    pub fn write(&self, AttemptTicket { session, token }: &AttemptTicket, out: &mut Vec<u8>) {
        const BEGIN: &str = r#"{"quantity":1,"token":""#;
        const END: &str = r#""}"#;
        let length = (BEGIN.len() + token.len() + END.len()).to_string();
        let parts = [&self.head, session, "\r\ncontent-length: ", &length, "\r\n\r\n", BEGIN, token, END];
        parts.iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
    }
}

pub fn contains(body: &[u8], part: &[u8]) -> bool {
    body.windows(part.len()).any(|found| found == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_another_buyers() {
        let ticket = |n: u32| AttemptTicket { session: format!("wfs_{n}"), token: format!("wft_{n}") };
        let tickets: Arc<[AttemptTicket]> = (0..3).map(ticket).collect();
        let address = ([127, 0, 0, 1], 80).into();
        let mut caller =
            AttemptCaller::new(address, ActivityId(77), &tickets, (1, 4), ExpectedAttempt::SoldOut);
        for buyer in [1, 2, 0] {
            let mut out = Vec::new();
            caller.request(0, &mut out);
            let expected = format!(
                "POST /api/v1/sales/77/attempts HTTP/1.1\r\nhost: 127.0.0.1:80\r\n\
                 content-type: application/json\r\ncookie: windfall_session=wfs_{buyer}\r\n\
                 content-length: 30\r\n\r\n{{\"quantity\":1,\"token\":\"wft_{buyer}\"}}"
            );
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn only_what_the_row_is_about_is_expected() {
        let tickets: Arc<[AttemptTicket]> = Arc::new([]);
        let address = ([127, 0, 0, 1], 80).into();
        for (expected, status, body, fits) in [
            (ExpectedAttempt::SoldOut, 409, &br#"{"code":"sold_out"}"#[..], true),
            (ExpectedAttempt::SoldOut, 409, br#"{"code":"token_spent"}"#, true),
            (ExpectedAttempt::SoldOut, 409, br#"{"code":"token_expired"}"#, false),
            (ExpectedAttempt::SoldOut, 202, b"{}", true),
            (ExpectedAttempt::SoldOut, 503, b"{}", false),
            (ExpectedAttempt::TakenIn, 202, b"{}", true),
            (ExpectedAttempt::TakenIn, 503, b"{}", false),
        ] {
            let mut caller = AttemptCaller::new(address, ActivityId(7), &tickets, (0, 1), expected);
            assert_eq!(caller.answer(0, status, body), fits, "{status}");
        }
    }
}
