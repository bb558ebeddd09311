//! Lines of HTTP/1 heads end with CR LF. The parser also takes a bare LF, which another server in front of this one may
//! take for something else: two readings of one request are how requests are smuggled past a proxy.
//!
//! Beside the parser, and never instead of it: what is found here is made unreadable, and the parser refuses it with 400.
//! The same goes for a head that gives its body two lengths. The parser reads a head that came in pieces only once it sees
//! its end, so an unreadable one is ended here.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::socket::Closing;

/// As much of each line is looked at as a length takes.
const LINE_MAX: usize = 64;
/// Nothing in a head may be this.
const UNREADABLE: u8 = 0;
/// What the parser takes for the end of a head.
const END: &[u8] = b"\n\n";

/// A connection whose heads are looked at.
#[derive(Debug)]
pub(super) struct StrictHeads<S> {
    inner: S,
    check: HeadCheck,
    /// Whether anything was read.
    used: bool,
    /// Whether an unreadable head was ended.
    ended: bool,
    closing: Closing,
}

impl<S> StrictHeads<S> {
    pub fn new(inner: S, closing: Closing) -> Self {
        Self { inner, check: HeadCheck::default(), used: false, ended: false, closing }
    }
}

/// Where in the stream of requests one is.
#[derive(Debug, Default)]
struct HeadCheck {
    place: Place,
    line: Line,
    /// Lines of this head so far.
    lines: u32,
    length: Option<u64>,
    chunked: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Head,
    Body(u64),
    ChunkSize,
    /// With the end of its line.
    Chunk(u64),
    Trailers,
    /// The parser has refused, or will.
    Over,
}

/// The line that is being read.
#[derive(Debug)]
struct Line {
    begin: [u8; LINE_MAX],
    length: usize,
    last: u8,
}

impl Default for Line {
    fn default() -> Self {
        Self { begin: [0; LINE_MAX], length: 0, last: 0 }
    }
}

impl Line {
    fn push(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.last = *last;
        if let Some(room) = self.begin.get_mut(self.length..) {
            let kept = room.len().min(bytes.len());
            room[..kept].copy_from_slice(&bytes[..kept]);
        }
        self.length += bytes.len();
    }

    /// Without the CR at its end; nothing when it is longer than what is kept.
    fn whole(&self) -> Option<&[u8]> {
        self.begin.get(..self.length.checked_sub(1)?)
    }

    fn is_empty(&self) -> bool {
        self.length == 1
    }

    /// Whether it is this header. Its name is in lower case, with the colon.
    fn is(&self, header: &str) -> bool {
        self.length > header.len() && self.begin[..header.len()].eq_ignore_ascii_case(header.as_bytes())
    }
}

impl HeadCheck {
    fn is_over(&self) -> bool {
        matches!(self.place, Place::Over)
    }

    fn see(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        while at < bytes.len() {
            match self.place {
                Place::Over => return,
                Place::Body(left) | Place::Chunk(left) => {
                    let rest = (bytes.len() - at) as u64;
                    let step = left.min(rest);
                    at += usize::try_from(step).unwrap_or(usize::MAX);
                    self.place = match (self.place, left - step) {
                        (Place::Body(_), 0) => Place::Head,
                        (Place::Body(_), left) => Place::Body(left),
                        (_, 0) => Place::ChunkSize,
                        (_, left) => Place::Chunk(left),
                    };
                }
                Place::Head | Place::ChunkSize | Place::Trailers => {
                    let Some(length) = memchr(b'\n', &bytes[at..]) else {
                        return self.line.push(&bytes[at..]);
                    };
                    let end = at + length;
                    self.line.push(&bytes[at..end]);
                    at = end + 1;
                    if self.line.length == 0 || self.line.last != b'\r' || self.end_of_line().is_none() {
                        bytes[end] = UNREADABLE;
                        self.place = Place::Over;
                    }
                    self.line.length = 0;
                }
            }
        }
    }

    /// Nothing when the request is refused.
    fn end_of_line(&mut self) -> Option<()> {
        match self.place {
            Place::Head if self.line.is_empty() => {
                // Empty lines before a request are skipped.
                if self.lines > 0 {
                    self.place = self.body()?;
                    (self.lines, self.length, self.chunked) = (0, None, false);
                }
            }
            Place::Head => {
                self.lines += 1;
                match self.line.begin[0] | 0x20 {
                    b'c' if self.line.is("content-length:") => self.length = Some(self.content_length()?),
                    b't' if self.line.is("transfer-encoding:") => self.chunked = true,
                    _ => {}
                }
            }
            Place::ChunkSize => {
                self.place = match self.chunk_size()? {
                    0 => Place::Trailers,
                    size => Place::Chunk(size.checked_add(2)?),
                };
            }
            Place::Trailers if self.line.is_empty() => self.place = Place::Head,
            Place::Trailers | Place::Body(_) | Place::Chunk(_) | Place::Over => {}
        }
        Some(())
    }

    fn body(&self) -> Option<Place> {
        match (self.chunked, self.length) {
            (true, Some(_)) => None,
            (true, None) => Some(Place::ChunkSize),
            (false, None | Some(0)) => Some(Place::Head),
            (false, Some(length)) => Some(Place::Body(length)),
        }
    }

    fn content_length(&self) -> Option<u64> {
        let value = self.line.whole()?.get("content-length:".len()..)?;
        str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
    }

    fn chunk_size(&self) -> Option<u64> {
        let kept = &self.line.begin[..(self.line.length - 1).min(LINE_MAX)];
        let digits = kept.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        u64::from_str_radix(str::from_utf8(&kept[..digits]).ok()?, 16).ok()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StrictHeads<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.check.is_over() && !self.ended && buffer.remaining() >= END.len() {
            self.ended = true;
            buffer.put_slice(END);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        if Pin::new(&mut self.inner).poll_read(context, buffer)?.is_pending() {
            // The protocol waits for the first request of a connection as long as for any; at a stop nobody does. Reading
            // nothing is the end.
            let over = !self.used && self.closing.of_unused();
            return if over { Poll::Ready(Ok(())) } else { Poll::Pending };
        }
        self.used = true;
        self.check.see(&mut buffer.filled_mut()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StrictHeads<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::io::AsyncReadExt;

    use super::*;

    const GET: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
    const POST: &str = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\na\nb\nc";
    const CHUNKED: &str = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n\
                           5;x=y\r\na\nb\nc\r\nA\r\n0123456\n89\r\n0\r\nafter: that\r\n\r\n";

    /// However the bytes come, the same is found: nothing, or the first one that cannot be read.
    #[test]
    fn hole_64_bare_line_ends_are_found_in_heads_and_nowhere_else() {
        let bare = |text: &str| text.replacen("\r\n", "\n", 1);
        for (requests, found) in [
            (vec![GET.to_owned()], false),
            (vec!["\r\n".to_owned() + GET], false),
            (vec![GET.to_owned(), POST.to_owned(), CHUNKED.to_owned(), GET.to_owned()], false),
            (vec![CHUNKED.to_owned(), CHUNKED.to_owned(), POST.to_owned()], false),
            (vec![bare(GET)], true),
            (vec!["\n".to_owned() + GET], true),
            (vec!["GET / HTTP/1.1\r\nhost: a\r\n\n".to_owned()], true),
            (vec!["GET / HTTP/1.1\r\nhost: a\nx: b\r\n\r\n".to_owned()], true),
            (vec![POST.to_owned(), bare(GET)], true),
            (vec![CHUNKED.to_owned(), bare(GET)], true),
            (vec![GET.to_owned(), GET.to_owned(), bare(POST)], true),
            (
                vec!["POST / HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n".to_owned()],
                true,
            ),
            (vec!["POST / HTTP/1.1\r\ncontent-length: five\r\n\r\n".to_owned()], true),
            (vec![format!("POST / HTTP/1.1\r\ncontent-length: {}5\r\n\r\n", " ".repeat(80))], true),
        ] {
            let text: String = requests.concat();
            for piece in [1, 2, 3, 7, 64, text.len()] {
                let mut check = HeadCheck::default();
                let mut bytes = text.clone().into_bytes();
                bytes.chunks_mut(piece).for_each(|piece| check.see(piece));
                assert_eq!(bytes.contains(&UNREADABLE), found, "{piece}: {text:?}");
                let changed = bytes.iter().zip(text.as_bytes()).filter(|(now, before)| now != before).count();
                assert_eq!(changed, usize::from(found), "{piece}: {text:?}");
            }
        }
    }

    /// The parser waits for the end of a head that came in pieces; what cannot be read gets one at once.
    #[tokio::test]
    async fn an_unreadable_head_is_ended() {
        let sent: &[u8] = b"GET / HTTP/1.1\nhost: a";
        let mut heads = StrictHeads::new(sent, Closing::new(&Arc::default()));
        let mut read = Vec::new();
        heads.read_to_end(&mut read).await.unwrap();
        assert!(read.starts_with(b"GET / HTTP/1.1\0"), "{read:?}");
        assert!(read.windows(2).any(|pair| pair == END), "{read:?}");
    }
}
