//! Reads one HTTP/1.1 response out of a growing buffer.
//!
//! Promises only what a load generator needs: the status, the body's place, and whether the connection
//! stays open. What it does not read (chunked bodies, bodies that end with the connection, interim
//! responses, heads or bodies beyond a limit) is a named error and never a guess.

use std::fmt;
use std::ops::Range;

pub const HEAD_BYTES_MAX: usize = 16 * 1024;
pub const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A whole response within the buffer it was parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub body: Range<usize>,
    pub keep_alive: bool,
}

/// Why the bytes are not a response this generator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadResponse {
    StatusLine,
    Header,
    ContentLength,
    /// Neither a length nor a status that has no body.
    LengthMissing,
    Chunked,
    Interim,
    HeadTooLong,
    BodyTooLong,
}

/// The response at the start of `buffer`; none while bytes are missing.
pub fn parse(buffer: &[u8]) -> Result<Option<Response>, BadResponse> {
    let Some(head_end) = find_head_end(buffer) else {
        return if buffer.len() > HEAD_BYTES_MAX { Err(BadResponse::HeadTooLong) } else { Ok(None) };
    };
    let mut lines = buffer[..head_end].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let status = parse_status(lines.next().unwrap_or_default())?;
    let mut length = None;
    let mut keep_alive = true;
    for line in lines.filter(|line| !line.is_empty()) {
        let colon = line.iter().position(|byte| *byte == b':').ok_or(BadResponse::Header)?;
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            length = Some(parse_length(value)?);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            return Err(BadResponse::Chunked);
        } else if name.eq_ignore_ascii_case(b"connection") {
            keep_alive = !value.eq_ignore_ascii_case(b"close");
        }
    }
    let length = match (status, length) {
        (204 | 304, _) => 0,
        (_, Some(length)) => length,
        (_, None) => return Err(BadResponse::LengthMissing),
    };
    let body = head_end..head_end + length;
    Ok((buffer.len() >= body.end).then_some(Response { status, body, keep_alive }))
}

fn find_head_end(buffer: &[u8]) -> Option<usize> {
    let within = &buffer[..buffer.len().min(HEAD_BYTES_MAX)];
    within.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

/// `HTTP/1.1 200 OK`; the words after the number are free.
fn parse_status(line: &[u8]) -> Result<u16, BadResponse> {
    let rest = line.strip_prefix(b"HTTP/1.1 ").ok_or(BadResponse::StatusLine)?;
    let (digits, after) = rest.split_at_checked(3).ok_or(BadResponse::StatusLine)?;
    if !digits.iter().all(u8::is_ascii_digit) || !matches!(after.first(), None | Some(b' ')) {
        return Err(BadResponse::StatusLine);
    }
    match digits.iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0')) {
        100..=199 => Err(BadResponse::Interim),
        status @ 200..=599 => Ok(status),
        _ => Err(BadResponse::StatusLine),
    }
}

fn parse_length(value: &[u8]) -> Result<usize, BadResponse> {
    if !value.iter().all(u8::is_ascii_digit) {
        return Err(BadResponse::ContentLength);
    }
    let length = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    match length.ok_or(BadResponse::ContentLength)? {
        length if length > BODY_BYTES_MAX => Err(BadResponse::BodyTooLong),
        length => Ok(length),
    }
}

impl fmt::Display for BadResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StatusLine => "the status line is not HTTP/1.1",
            Self::Header => "a header has no colon",
            Self::ContentLength => "content-length is not a number",
            Self::LengthMissing => "the response has no content-length",
            Self::Chunked => "the response has a transfer-encoding (chunked), which is not read here",
            Self::Interim => "an interim (1xx) response, which is not read here",
            Self::HeadTooLong => "the response head is too long",
            Self::BodyTooLong => "the response body is too long",
        })
    }
}

impl std::error::Error for BadResponse {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_by_rows() {
        type Expected = Result<Option<(u16, &'static str, bool)>, BadResponse>;
        let rows: &[(&str, Expected)] = &[
            ("", Ok(None)),
            ("HTTP/1.1 200 OK\r\ncontent-le", Ok(None)),
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n", Ok(None)),
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na", Ok(None)),
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab", Ok(Some((200, "ab", true)))),
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nabHTTP", Ok(Some((200, "ab", true)))),
            ("HTTP/1.1 200\r\nContent-Length:2 \r\n\r\nab", Ok(Some((200, "ab", true)))),
            ("HTTP/1.1 204 No Content\r\n\r\n", Ok(Some((204, "", true)))),
            ("HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n", Ok(Some((409, "", true)))),
            (
                "HTTP/1.1 503 Busy\r\nconnection: Close\r\ncontent-length: 0\r\n\r\n",
                Ok(Some((503, "", false))),
            ),
            ("HTTP/1.0 200 OK\r\n\r\n", Err(BadResponse::StatusLine)),
            ("HTTP/1.1 2000\r\n\r\n", Err(BadResponse::StatusLine)),
            ("HTTP/1.1 9\r\n\r\n", Err(BadResponse::StatusLine)),
            ("HTTP/1.1 777 ?\r\n\r\n", Err(BadResponse::StatusLine)),
            ("HTTP/1.1 100 Continue\r\n\r\n", Err(BadResponse::Interim)),
            ("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", Err(BadResponse::Header)),
            ("HTTP/1.1 200 OK\r\n\r\n", Err(BadResponse::LengthMissing)),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", Err(BadResponse::Chunked)),
            ("HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", Err(BadResponse::ContentLength)),
            ("HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\n", Err(BadResponse::ContentLength)),
            ("HTTP/1.1 200 OK\r\ncontent-length: \r\n\r\n", Err(BadResponse::ContentLength)),
            ("HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n", Err(BadResponse::BodyTooLong)),
        ];
        for (bytes, expected) in rows {
            let found = parse(bytes.as_bytes()).map(|response| {
                response.map(|response| (response.status, &bytes[response.body], response.keep_alive))
            });
            assert_eq!(found, *expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_head_without_end_is_refused() {
        let bytes = vec![b'x'; HEAD_BYTES_MAX + 1];
        assert_eq!(parse(&bytes), Err(BadResponse::HeadTooLong));
    }

    #[test]
    fn a_response_may_arrive_byte_by_byte() {
        let bytes = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello";
        for end in 0..bytes.len() {
            assert_eq!(parse(&bytes[..end]), Ok(None), "{end} bytes");
        }
        assert_eq!(parse(bytes).unwrap().unwrap().body, bytes.len() - 5..bytes.len());
    }
}
