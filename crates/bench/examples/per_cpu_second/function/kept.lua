-- What is kept. `s` is what this call has read and what it will write.
--
-- A record is nothing (not looked at), `false` (not there), its bytes, or, once somebody looks into it, a table. What a
-- new hold needs is bytes only: most holds are made in one call and looked into in another.

local function text(number)
  return string.format('%.0f', number)
end

-- Lengths, rounds and counters come again and again, and are small: the four bytes of each are made once.
local FOUR, FOUR_MAX = {}, 4096

local function four(number)
  local bytes = FOUR[number]
  if not bytes then
    bytes = pack('>I4', number)
    if number <= FOUR_MAX then
      FOUR[number] = bytes
    end
  end
  return bytes
end

local function new_call(keys)
  return { keys = keys, pools = {}, records = {}, counts = {}, touched = {}, counted = {}, new_records = {}, queued = {},
    events = {}, events_n = 0 }
end

local function load_shard(keys)
  pack, unpack_bytes, byte = struct.pack, struct.unpack, string.byte
  local raw = redis.call('GET', keys[1])
  if not raw then
    return nil
  end
  local s = new_call(keys)
  s.term, s.seq, s.now, s.pools_n, s.records_n, s.counts_n, s.due_n, s.lines_max, s.ttl_min, s.ttl_max, s.life_max,
    s.tombstones_max = unpack_bytes(SHARD, raw)
  return s
end

local function shard_bytes(s)
  return pack(SHARD, s.term, s.seq, s.now, s.pools_n, s.records_n, s.counts_n, s.due_n, s.lines_max, s.ttl_min,
    s.ttl_max, s.life_max, s.tombstones_max)
end

-- Whether the keys hold as much as was written to them.
local function is_whole(s)
  local keys = s.keys
  return redis.call('HLEN', keys[2]) == s.pools_n and redis.call('HLEN', keys[3]) == s.records_n
    and redis.call('HLEN', keys[4]) == s.counts_n and redis.call('ZCARD', keys[5]) == s.due_n
end

local function read_clock(s)
  local time = redis.call('TIME')
  s.now = math.max(s.now, tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
end

local function touch(s, pool)
  if not pool.dirty then
    pool.dirty = true
    s.touched[#s.touched + 1] = pool
  end
end

local function read_pool(s, id, field)
  local known = s.pools[field]
  if known == nil then
    local raw = redis.call('HGET', s.keys[2], field)
    known = false
    if raw then
      known = { id = id, field = field }
      known.round, known.state, known.owner_max, known.total, known.available, known.held, known.taken =
        unpack_bytes(POOL, raw)
    end
    s.pools[field] = known
  end
  return known
end

local function current(s, id)
  return read_pool(s, id, id)
end

local function pool_bytes(pool)
  return pack(POOL, pool.round, pool.state, pool.owner_max, pool.total, pool.available, pool.held, pool.taken)
end

local function parse_record(key, raw)
  local first = byte(raw, 1)
  if first == 80 then -- P
    return { is = 'change', key = key, body = string.sub(raw, 2, 9) }
  end
  local hold, lines, count, at = { is = 'hold', key = key }, {}, 0, 0
  first, hold.body, hold.owner, hold.made_seq, hold.made, hold.due, hold.state, count, at = unpack_bytes(HOLD, raw)
  for n = 1, count do
    local line = {}
    line.pool, line.round, line.units, line.taken, at = unpack_bytes(LINE, raw, at)
    lines[n] = line
  end
  hold.lines = lines
  return hold
end

local function hold_bytes(record)
  local parts = { pack(HOLD, 'H', record.body, record.owner, record.made_seq, record.made, record.due, record.state, #record.lines) }
  for n, line in ipairs(record.lines) do
    parts[n + 1] = pack(LINE, line.pool, line.round, line.units, line.taken)
  end
  return table.concat(parts)
end

local function find(s, key)
  local record = s.records[key]
  if record == nil then
    record = redis.call('HGET', s.keys[3], key)
  end
  if type(record) == 'string' then
    record = parse_record(key, record)
  end
  s.records[key] = record
  return record
end

local function keep(s, key, bytes)
  local list = s.new_records
  s.records[key] = bytes
  list[#list + 1] = key
  list[#list + 1] = bytes
end

-- Counters beside the pools: units of an owner in a round.
local function count_of(s, field)
  local known = s.counts[field]
  if known == nil then
    local raw = redis.call('HGET', s.keys[4], field)
    known = raw and unpack_bytes('>I4', raw) or 0
    s.counts[field] = known
  end
  return known
end

local function set_count(s, field, value)
  s.counts[field] = value
  s.counted[#s.counted + 1] = field
end

local function owner_field(pool, owner)
  local prefix = pool.prefix
  if not prefix then
    prefix = pool.id .. four(pool.round)
    pool.prefix = prefix
  end
  return prefix .. owner
end

-- Answers: A accepted, R repeated, N refused. What was accepted about a hold is the hold's own bytes, which begin with H:
-- one string for the answer and for what is kept.

local function refuse(code, pool, a, b)
  return 'N' .. pack('>I1c8I8I8', code, pool or NO_POOL, a or 0, b or 0)
end

local function pool_answer(how, pool)
  return how .. 'P' .. pool.id .. pool_bytes(pool)
end

local function hold_answer(how, hold)
  return how .. hold_bytes(hold)
end

-- Remembers that something happened: the command as it came, and what was decided about it.
local function happened(s, command, decided)
  local events, at = s.events, #s.events
  events[at + 1], events[at + 2], events[at + 3], events[at + 4] = four(#command), command, four(#decided), decided
  s.events_n = s.events_n + 1
end

-- The number that the next event of this call will have.
local function next_seq(s)
  return s.seq + s.events_n + 1
end
