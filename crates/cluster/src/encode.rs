//! A command as the function reads it: its kind, then fields of fixed width, the highest byte first. What the function
//! never looks at (texts and notes) stands last; it goes into the journal with the rest.

use domain::ledger::{Command, Key, Limits, Line, Note, PoolId, PoolState, Take, Text, body};

pub(crate) mod kind {
    pub const TERM_BEGAN: u8 = 0;
    pub const POOL_OPEN: u8 = 1;
    pub const POOL_ADJUST: u8 = 2;
    pub const POOL_LIMIT: u8 = 3;
    pub const POOL_STATE: u8 = 4;
    pub const RESERVE: u8 = 5;
    pub const CONFIRM: u8 = 6;
    pub const CANCEL: u8 = 7;
    pub const EXTEND: u8 = 8;
    pub const EXPIRE_ONE: u8 = 9;
    /// Not known to the function yet.
    pub const PLAY: u8 = 10;
}

pub(crate) fn term(term: u32) -> [u8; 4] {
    term.to_be_bytes()
}

/// What a term is begun with.
pub(crate) fn bounds(term: u32, limits: &Limits) -> Vec<u8> {
    let mut out = Writer::default();
    out.u32(term).u32(limits.lines_max).i64(limits.ttl_min_ms).i64(limits.ttl_max_ms).i64(limits.life_max_ms);
    out.u32(limits.tombstones_max);
    out.0
}

pub(crate) fn command(command: &Command) -> Vec<u8> {
    let mut out = Writer::default();
    match command {
        Command::PoolOpen { key, pool, name, round, total, owner_max, note } => {
            out.byte(kind::POOL_OPEN).key(*key).u64(body(command)).pool(*pool);
            out.u32(*round).u64(*total).u32(*owner_max).short(name.as_str()).note(note);
        }
        Command::PoolAdjust { key, pool, delta, note } => {
            out.byte(kind::POOL_ADJUST).key(*key).u64(body(command)).pool(*pool).i64(*delta).note(note);
        }
        Command::PoolLimit { key, pool, owner_max, note } => {
            out.byte(kind::POOL_LIMIT).key(*key).u64(body(command)).pool(*pool).u32(*owner_max).note(note);
        }
        Command::PoolState { key, pool, state, note } => {
            let state = match state {
                PoolState::Open => 0,
                PoolState::Frozen => 1,
                PoolState::Closed => 2,
            };
            out.byte(kind::POOL_STATE).key(*key).u64(body(command)).pool(*pool).byte(state).note(note);
        }
        // Gates never come this far: `RedisStock` turns them away.
        Command::Reserve { key, id, caller, owner, lines, ttl_ms, gates: _ } => {
            let number = owner.as_ref().map_or(0, |owner| owner.id.get());
            out.byte(kind::RESERVE).key(*key).u64(body(command)).i64(*ttl_ms).i64(*caller).u64(number);
            out.lines(lines).text(Some(id)).text(owner.as_ref().map(|owner| &owner.text));
        }
        Command::Confirm { hold, take } => {
            let (all, lines) = match take {
                Take::All => (1, [].as_slice()),
                Take::Part(lines) => (0, lines.as_slice()),
            };
            out.byte(kind::CONFIRM).key(*hold).byte(all).lines(lines);
        }
        Command::Cancel { hold, id, caller } => {
            out.byte(kind::CANCEL).key(*hold).i64(*caller).text(Some(id));
        }
        Command::Extend { hold, until } => {
            out.byte(kind::EXTEND).key(*hold).i64(until.0);
        }
        Command::ExpireOne => {
            out.byte(kind::EXPIRE_ONE);
        }
        // Nobody asks for it: `RedisStock` turns it away. If somebody did, the function would refuse the whole call.
        Command::Play(_) => {
            out.byte(kind::PLAY);
        }
    }
    out.0
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn byte(&mut self, byte: u8) -> &mut Self {
        self.bytes(&[byte])
    }

    fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    fn i64(&mut self, number: i64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    fn key(&mut self, key: Key) -> &mut Self {
        self.bytes(&key.0.to_be_bytes())
    }

    fn pool(&mut self, pool: PoolId) -> &mut Self {
        self.i64(pool.0)
    }

    fn lines(&mut self, lines: &[Line]) -> &mut Self {
        self.u32(u32::try_from(lines.len()).unwrap_or(u32::MAX));
        for line in lines {
            self.pool(line.pool).u32(line.quantity.units());
        }
        self
    }

    fn text(&mut self, text: Option<&Text>) -> &mut Self {
        self.short(text.map_or("", Text::as_str))
    }

    /// Texts have 64 bytes at most, names of pools 200.
    fn short(&mut self, text: &str) -> &mut Self {
        self.byte(u8::try_from(text.len()).unwrap_or(u8::MAX)).bytes(text.as_bytes())
    }

    fn note(&mut self, note: &Note) -> &mut Self {
        self.i64(note.by()).bytes(note.as_str().as_bytes())
    }
}
