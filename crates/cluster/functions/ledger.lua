#!lua name=windfall_ledger_1
--[[
The ledger of one shard, as `domain::ledger` says it, decided and journalled in one step.

    FCALL windfall_create_1 6 <keys> <term and bounds>            a shard that never was
    FCALL windfall_begin_1  6 <keys> <term and bounds>            joins a term, or begins a higher one
    FCALL windfall_ask_1    6 <keys> <term> <command> <command>…  each command with an answer of its own, in order

What it promises:
- Nothing is written before everything is decided. Commands are decided against tables in this call's memory; then the
  journal is appended, and what changed is written. Redis does not take back what a failing function wrote, so what can
  fail comes first: reading every key finds one of the wrong type, and the journal refuses a number it has had.
- Each event has the next number, and the journal's entry carries the last one of its batch as its id.
- Time is Redis' own and never goes back. A caller with another term than the shard's is refused, whole.
- A key that is not there means "not loaded", never "nothing left": the shard counts what its keys hold.

Numbers are doubles here: exact up to 2^53, and no total exceeds 2^50. Whatever may be larger (ids of pools, callers
and owners, keys, fingerprints) stays the bytes it came as. What may be larger and is only compared (a delta, a total, a
time) is refused long before rounding matters.

Deliberately absent: forgetting what has been projected, refilling a shard, and any command that looks for keys.
Everything is in the six keys that the caller declares, and they share a hash tag.
]]

-- Lua's own libraries are there when a function runs, not while the library is loaded: `load_shard` fetches these.
local pack, unpack_bytes, byte

local QUANTITY_MAX = 1000000000
local TOTAL_MAX = 1125899906842624 -- 2^50
local OWNER_UNITS_MAX = 4294967295
local COMMANDS_MAX = 1024
local ARGUMENTS_MAX = 4000 -- even: fields come with their values
local JOURNAL_VERSION = 1
local NOBODY = '\0\0\0\0\0\0\0\0'
local NO_POOL = NOBODY

-- Kinds of commands, and of their events in the journal.
local TERM_BEGAN, POOL_OPEN, POOL_ADJUST, POOL_LIMIT, POOL_STATE = 0, 1, 2, 3, 4
local RESERVE, CONFIRM, CANCEL, EXTEND, EXPIRE_ONE = 5, 6, 7, 8, 9
-- States of a pool and of a hold.
local OPEN, CLOSED = 0, 2
local HELD, CONFIRMED, CANCELLED, EXPIRED = 0, 1, 2, 3
-- Refusals, by their place in `domain::ledger::Refusal`.
local POOL_UNKNOWN, ROUND_STALE, FROZEN, POOL_CLOSED, SOLD_OUT, LIMIT_REACHED, CONFLICT, HOLD_UNKNOWN = 1, 2, 3, 4, 5, 6, 7, 8
local ALREADY_CONFIRMED, ALREADY_CANCELLED, HOLD_EXPIRED, NOT_HELD, NOT_FREE, TOTAL_TOO_LARGE = 9, 10, 11, 12, 13, 14
local NO_LINES, TOO_MANY_LINES, QUANTITY_TOO_LARGE, TTL_OUT_OF_RANGE, EXTEND_TOO_FAR = 15, 16, 17, 18, 19
local TOMBSTONES_FULL, NOTHING_DUE = 20, 21

local SHARD = '>I4I8I8I8I8I8I8I4i8i8i8I4'
local BOUNDS = '>I4I4i8i8i8I4'
local POOL = '>I4I1I4I8I8I8I8'
local HOLD = '>c1c8c8I8I8I1I4'
local LINE = '>c8I4I4I4'
local HOLD_OF_ONE = '>c1c8c8I8I8I1I4c8I4I4I4'

---------------------------------------------------------------------------------------------------------------------
-- What is kept. `s` is what this call has read and what it will write.
--
-- A record is nothing (not looked at), `false` (not there), its bytes, or, once somebody looks into it, a table. What a
-- new hold needs is bytes only: most holds are made in one call and looked into in another.

local function text(number)
  return string.format('%.0f', number)
end

local function new_call(keys)
  return { keys = keys, pools = {}, records = {}, counts = {}, touched = {}, counted = {}, new_records = {}, queued = {},
    ended = {}, events = {}, events_n = 0 }
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

-- The round a hold was taken in: the current one, or an old one that still has holds.
local function round_of(s, id, round)
  local pool = current(s, id)
  if pool and pool.round == round then
    return pool
  end
  return read_pool(s, id, id .. pack('>I4', round))
end

local function pool_bytes(pool)
  return pack(POOL, pool.round, pool.state, pool.owner_max, pool.total, pool.available, pool.held, pool.taken)
end

local function parse_record(key, raw)
  local first = byte(raw, 1)
  if first == 80 then -- P
    return { is = 'change', key = key, body = string.sub(raw, 2, 9) }
  elseif first == 84 then -- T
    return { is = 'tombstone', key = key, caller = string.sub(raw, 2, 9) }
  end
  local hold, lines, count, at = { is = 'hold', key = key }, {}, 0, 0
  first, hold.body, hold.owner, hold.made, hold.due, hold.state, count, at = unpack_bytes(HOLD, raw)
  for n = 1, count do
    local line = {}
    line.pool, line.round, line.units, line.taken, at = unpack_bytes(LINE, raw, at)
    lines[n] = line
  end
  hold.lines = lines
  return hold
end

local function hold_bytes(record)
  local parts = { pack(HOLD, 'H', record.body, record.owner, record.made, record.due, record.state, #record.lines) }
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

-- Counters beside the pools: units of an owner in a round, tombstones of a caller.
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
    prefix = pool.id .. pack('>I4', pool.round)
    pool.prefix = prefix
  end
  return prefix .. owner
end

---------------------------------------------------------------------------------------------------------------------
-- Answers.

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
  events[at + 1], events[at + 2], events[at + 3], events[at + 4] = pack('>I4', #command), command, pack('>I4', #decided), decided
  s.events_n = s.events_n + 1
end

local function hold_route(hold)
  local first = hold.lines[1]
  return first.pool .. pack('>I4', first.round)
end

---------------------------------------------------------------------------------------------------------------------
-- Pools.

-- What all commands on pools share: the id they are known by. Answers a refusal or a repetition, or nothing.
local function known_change(s, key, body, id)
  local record = find(s, key)
  if not record then
    return nil
  elseif record.is ~= 'change' or record.body ~= body then
    return refuse(CONFLICT)
  end
  local pool = current(s, id)
  return pool and pool_answer('R', pool) or refuse(POOL_UNKNOWN, id)
end

local function changed(s, command, key, body, pool)
  touch(s, pool)
  keep(s, key, 'P' .. body)
  happened(s, command, pack('>I4', pool.round))
  return pool_answer('A', pool)
end

local function pool_open(s, command)
  local key, body, id, round, total, owner_max = unpack_bytes('>c16c8c8I4I8I4', command, 2)
  local known = known_change(s, key, body, id)
  if known then
    return known
  elseif total > TOTAL_MAX then
    return refuse(TOTAL_TOO_LARGE, id)
  end
  local old = current(s, id)
  if round ~= (old and old.round + 1 or 1) or (old and old.state ~= CLOSED) then
    return refuse(ROUND_STALE, id, round)
  end
  if old and old.held > 0 then
    -- Its holds still end against it.
    old.field = id .. pack('>I4', old.round)
    s.pools[old.field] = old
    touch(s, old)
  elseif old then
    old.replaced = true
  end
  local pool = { id = id, field = id, round = round, state = OPEN, owner_max = owner_max, total = total,
    available = total, held = 0, taken = 0 }
  s.pools[id] = pool
  return changed(s, command, key, body, pool)
end

-- The current round of a pool that is not closed, or a refusal.
local function not_closed(s, id)
  local pool = current(s, id)
  if not pool then
    return nil, refuse(POOL_UNKNOWN, id)
  elseif pool.state == CLOSED then
    return nil, refuse(POOL_CLOSED, id)
  end
  return pool
end

local function pool_adjust(s, command)
  local key, body, id, delta = unpack_bytes('>c16c8c8i8', command, 2)
  local known = known_change(s, key, body, id)
  if known then
    return known
  end
  local pool, no = not_closed(s, id)
  if no then
    return no
  elseif -delta > pool.available then
    return refuse(NOT_FREE, id, pool.available)
  elseif delta > 0 and pool.total + delta > TOTAL_MAX then
    return refuse(TOTAL_TOO_LARGE, id)
  end
  pool.total, pool.available = pool.total + delta, pool.available + delta
  return changed(s, command, key, body, pool)
end

local function pool_limit(s, command)
  local key, body, id, owner_max = unpack_bytes('>c16c8c8I4', command, 2)
  local known = known_change(s, key, body, id)
  if known then
    return known
  end
  local pool, no = not_closed(s, id)
  if no then
    return no
  end
  pool.owner_max = owner_max
  return changed(s, command, key, body, pool)
end

local function pool_state(s, command)
  local key, body, id, state = unpack_bytes('>c16c8c8I1', command, 2)
  local known = known_change(s, key, body, id)
  if known then
    return known
  end
  local pool, no = not_closed(s, id)
  if no then
    return no
  end
  pool.state = state
  return changed(s, command, key, body, pool)
end

---------------------------------------------------------------------------------------------------------------------
-- Holds.

-- The lines of a command from `at` on, each pool once, in the order they first appear; or a refusal.
local function summed_lines(command, count, at)
  local lines, by_pool = {}, {}
  for _ = 1, count do
    local pool, units
    pool, units, at = unpack_bytes('>c8I4', command, at)
    local line = by_pool[pool]
    if not line then
      line = { pool = pool, units = 0 }
      by_pool[pool] = line
      lines[#lines + 1] = line
    end
    line.units = line.units + units
    if line.units > QUANTITY_MAX then
      return nil, refuse(QUANTITY_TOO_LARGE, pool)
    end
  end
  return lines
end

-- Whether one pool gives so many units to this owner now. A refusal, or nothing.
local function not_given(s, id, owner, units)
  local pool = current(s, id)
  if not pool then
    return refuse(POOL_UNKNOWN, id)
  elseif pool.state ~= OPEN then
    return refuse(pool.state == CLOSED and POOL_CLOSED or FROZEN, id)
  end
  if owner ~= NOBODY then
    local limit = pool.owner_max == 0 and OWNER_UNITS_MAX or pool.owner_max
    local has = count_of(s, owner_field(pool, owner))
    if has + units > limit then
      return refuse(LIMIT_REACHED, id, limit, has)
    end
  end
  if units > pool.available then
    return refuse(SOLD_OUT, id, pool.available)
  end
end

-- Takes what `not_given` allowed. Answers the round it was taken in.
local function take(s, id, owner, units)
  local pool = current(s, id)
  pool.available, pool.held = pool.available - units, pool.held + units
  touch(s, pool)
  if owner ~= NOBODY then
    local field = owner_field(pool, owner)
    set_count(s, field, count_of(s, field) + units)
  end
  return pool.round
end

-- Many holds of one call end at the same time: its text is made once.
local function wait_for_end(s, key, due)
  if s.due_of_text ~= due then
    s.due_of_text, s.due_text = due, text(due)
  end
  local list = s.queued
  list[#list + 1] = s.due_text
  list[#list + 1] = key
end

local function reserve(s, command)
  local key, body, ttl, _, owner, count, at = unpack_bytes('>c16c8i8c8c8I4', command, 2)
  local record = find(s, key)
  if record then
    if record.is == 'hold' and record.body == body then
      return hold_answer('R', record)
    end
    return refuse(record.is == 'tombstone' and ALREADY_CANCELLED or CONFLICT)
  elseif ttl < s.ttl_min or ttl > s.ttl_max then
    return refuse(TTL_OUT_OF_RANGE, nil, s.ttl_min, s.ttl_max)
  elseif count == 0 then
    return refuse(NO_LINES)
  elseif count > s.lines_max then
    return refuse(TOO_MANY_LINES, nil, s.lines_max)
  end
  local due, bytes, rounds = s.now + ttl, nil, nil
  if count == 1 then
    -- The rule: one line, and no tables for it.
    local id, units = unpack_bytes('>c8I4', command, at)
    local no = units > QUANTITY_MAX and refuse(QUANTITY_TOO_LARGE, id) or not_given(s, id, owner, units)
    if no then
      return no
    end
    local round = take(s, id, owner, units)
    bytes = pack(HOLD_OF_ONE, 'H', body, owner, s.now, due, HELD, 1, id, round, units, 0)
    rounds = pack('>I4', round)
  else
    local lines, no = summed_lines(command, count, at)
    for n = 1, #(lines or {}) do
      no = no or not_given(s, lines[n].pool, owner, lines[n].units)
    end
    if no then
      return no
    end
    local held, taken_in = { pack(HOLD, 'H', body, owner, s.now, due, HELD, #lines) }, {}
    for n, line in ipairs(lines) do
      local round = take(s, line.pool, owner, line.units)
      held[n + 1], taken_in[n] = pack(LINE, line.pool, round, line.units, 0), pack('>I4', round)
    end
    bytes, rounds = table.concat(held), table.concat(taken_in)
  end
  keep(s, key, bytes)
  wait_for_end(s, key, due)
  happened(s, command, rounds)
  return 'A' .. bytes
end

-- Ends an open hold: of each line so many units are gone for good, the rest is free again, for pool and owner.
local function finish(s, hold, state)
  for _, line in ipairs(hold.lines) do
    local pool = round_of(s, line.pool, line.round)
    local back = line.units - line.taken
    pool.held, pool.taken, pool.available = pool.held - line.units, pool.taken + line.taken, pool.available + back
    touch(s, pool)
    if hold.owner ~= NOBODY and back > 0 then
      local field = owner_field(pool, hold.owner)
      set_count(s, field, count_of(s, field) - back)
    end
  end
  hold.state = state
  s.ended[#s.ended + 1] = hold.key
end

-- A hold that changed is told as it is now, and kept so.
local function kept_hold(s, hold)
  local bytes = hold_bytes(hold)
  keep(s, hold.key, bytes)
  return 'A' .. bytes
end

-- The hold of that key, or why there is none that could be confirmed or extended.
local function known_hold(s, key)
  local record = find(s, key)
  if record and record.is == 'hold' then
    return record
  end
  return nil, refuse(record and record.is == 'tombstone' and ALREADY_CANCELLED or HOLD_UNKNOWN)
end

-- A hold is over at its due time, whether or not its expiry has been carried out.
local function not_open(s, hold)
  if hold.state == CONFIRMED then
    return refuse(ALREADY_CONFIRMED)
  elseif hold.state == CANCELLED then
    return refuse(ALREADY_CANCELLED)
  elseif hold.state == EXPIRED or s.now >= hold.due then
    return refuse(HOLD_EXPIRED)
  end
end

-- Units to take of each line of a hold, or a refusal.
local function taken_units(hold, command, all, count, at)
  local taken = {}
  for n, line in ipairs(hold.lines) do
    taken[n] = all == 1 and line.units or 0
  end
  if all == 1 then
    return taken
  elseif count == 0 then
    return nil, refuse(NO_LINES)
  end
  for _ = 1, count do
    local pool, units, place
    pool, units, at = unpack_bytes('>c8I4', command, at)
    for n, line in ipairs(hold.lines) do
      if line.pool == pool then
        place = n
        break
      end
    end
    if not place or taken[place] + units > hold.lines[place].units then
      return nil, refuse(NOT_HELD, pool)
    end
    taken[place] = taken[place] + units
  end
  return taken
end

local function same_units(hold, taken)
  for n, line in ipairs(hold.lines) do
    if not taken or line.taken ~= taken[n] then
      return false
    end
  end
  return true
end

local function confirm(s, command)
  local key, all, count, at = unpack_bytes('>c16I1I4', command, 2)
  local hold, no = known_hold(s, key)
  if no then
    return no
  end
  local taken, wrong = taken_units(hold, command, all, count, at)
  if hold.state == CONFIRMED and same_units(hold, taken) then
    return hold_answer('R', hold)
  end
  no = not_open(s, hold) or wrong
  if no then
    return no
  end
  local units = {}
  for n, line in ipairs(hold.lines) do
    line.taken = taken[n]
    units[n] = pack('>I4', taken[n])
  end
  finish(s, hold, CONFIRMED)
  happened(s, command, hold_route(hold) .. table.concat(units))
  return kept_hold(s, hold)
end

local function cancel(s, command)
  local key, caller = unpack_bytes('>c16c8', command, 2)
  local record = find(s, key)
  if not record then
    local field = 't' .. caller
    local spent = count_of(s, field)
    if spent >= s.tombstones_max then
      return refuse(TOMBSTONES_FULL, nil, s.tombstones_max)
    end
    set_count(s, field, spent + 1)
    keep(s, key, 'T' .. caller)
    happened(s, command, '')
    return 'A' .. pack(HOLD, 'H', NOBODY, NOBODY, s.now, s.now, CANCELLED, 0)
  elseif record.is == 'tombstone' then
    return refuse(ALREADY_CANCELLED)
  elseif record.is == 'change' then
    return refuse(HOLD_UNKNOWN)
  elseif record.state == CANCELLED then
    return hold_answer('R', record)
  elseif record.state ~= HELD then
    return refuse(record.state == CONFIRMED and ALREADY_CONFIRMED or HOLD_EXPIRED)
  end
  finish(s, record, CANCELLED)
  happened(s, command, hold_route(record))
  return kept_hold(s, record)
end

local function extend(s, command)
  local key, till = unpack_bytes('>c16i8', command, 2)
  local hold, no = known_hold(s, key)
  no = no or not_open(s, hold)
  if no then
    return no
  elseif till <= hold.due then
    return hold_answer('R', hold)
  elseif till > hold.made + s.life_max then
    return refuse(EXTEND_TOO_FAR, nil, s.life_max)
  end
  hold.due = till
  wait_for_end(s, key, till)
  happened(s, command, hold_route(hold))
  return kept_hold(s, hold)
end

-- Each command ends at most one hold, so as many candidates as there are commands are enough for the whole call.
local function expire_one(s, command)
  s.overdue = s.overdue or redis.call('ZRANGEBYSCORE', s.keys[5], '-inf', text(s.now), 'LIMIT', 0, COMMANDS_MAX)
  s.overdue_at = s.overdue_at or 1
  while s.overdue[s.overdue_at] do
    local hold = find(s, s.overdue[s.overdue_at])
    s.overdue_at = s.overdue_at + 1
    if hold.state == HELD and hold.due <= s.now then
      finish(s, hold, EXPIRED)
      happened(s, command, hold_route(hold) .. hold.key)
      return kept_hold(s, hold)
    end
  end
  return refuse(NOTHING_DUE)
end

local DECIDE = {
  [POOL_OPEN] = pool_open,
  [POOL_ADJUST] = pool_adjust,
  [POOL_LIMIT] = pool_limit,
  [POOL_STATE] = pool_state,
  [RESERVE] = reserve,
  [CONFIRM] = confirm,
  [CANCEL] = cancel,
  [EXTEND] = extend,
  [EXPIRE_ONE] = expire_one,
}

---------------------------------------------------------------------------------------------------------------------
-- Reading ahead and writing at the end: one call of Redis for many commands.

-- Everything the commands are known by, and what is counted for the owners of new holds.
local function read_ahead(s, commands)
  local keys, reserves = {}, {}
  for n = 2, #commands do
    local command = commands[n]
    local kind = byte(command, 1)
    if kind ~= EXPIRE_ONE then
      keys[#keys + 1] = string.sub(command, 2, 17)
    end
    if kind == RESERVE then
      reserves[#reserves + 1] = command
    end
  end
  if #keys == 0 then
    return
  end
  local found = redis.call('HMGET', s.keys[3], unpack(keys))
  for n, key in ipairs(keys) do
    s.records[key] = found[n]
  end
  local fields = {}
  for _, command in ipairs(reserves) do
    -- The owner, and the pool of the first line; others are read when they are needed.
    local owner = string.sub(command, 42, 49)
    local pool = owner ~= NOBODY and current(s, string.sub(command, 54, 61))
    if pool then
      fields[#fields + 1] = owner_field(pool, owner)
    end
  end
  if #fields > 0 then
    found = redis.call('HMGET', s.keys[4], unpack(fields))
    for n, field in ipairs(fields) do
      s.counts[field] = found[n] and unpack_bytes('>I4', found[n]) or 0
    end
  end
end

local function journal(s)
  local first = s.seq + 1
  s.seq = s.seq + s.events_n
  local head = pack('>I1I4I8I8I4', JOURNAL_VERSION, s.term, first, s.now, s.events_n)
  redis.call('XADD', s.keys[6], text(s.seq) .. '-0', 'b', head .. table.concat(s.events))
end

local function write(s)
  local pools, gone, counts, zero = {}, {}, {}, {}
  for _, pool in ipairs(s.touched) do
    assert(pool.total == pool.available + pool.held + pool.taken and pool.available >= 0 and pool.held >= 0,
      'a pool does not add up')
    if pool.field ~= pool.id and pool.held == 0 then
      gone[#gone + 1] = pool.field
    elseif not pool.replaced then
      pools[#pools + 1] = pool.field
      pools[#pools + 1] = pool_bytes(pool)
    end
  end
  for _, field in ipairs(s.counted) do
    local value = s.counts[field]
    if value == 0 then
      zero[#zero + 1] = field
    else
      counts[#counts + 1] = field
      counts[#counts + 1] = pack('>I4', value)
    end
  end
  -- From here on things are written. The journal is first: it may refuse.
  journal(s)
  -- In pieces: a call takes no more than Lua's stack does.
  local function call(command, key, list)
    local sum = 0
    for at = 1, #list, ARGUMENTS_MAX do
      sum = sum + redis.call(command, key, unpack(list, at, math.min(at + ARGUMENTS_MAX - 1, #list)))
    end
    return sum
  end
  local keys = s.keys
  s.pools_n = s.pools_n + call('HSET', keys[2], pools) - call('HDEL', keys[2], gone)
  s.records_n = s.records_n + call('HSET', keys[3], s.new_records)
  s.counts_n = s.counts_n + call('HSET', keys[4], counts) - call('HDEL', keys[4], zero)
  s.due_n = s.due_n + call('ZADD', keys[5], s.queued) - call('ZREM', keys[5], s.ended)
  redis.call('SET', keys[1], shard_bytes(s))
end

---------------------------------------------------------------------------------------------------------------------
-- The doors.

local function ask(keys, args)
  local s = load_shard(keys)
  if not s then
    return redis.error_reply('NOTLOADED this shard is not in this Redis')
  end
  local term = unpack_bytes('>I4', args[1])
  if term ~= s.term then
    return redis.error_reply('TERM the shard is in term ' .. text(s.term))
  elseif #args > COMMANDS_MAX + 1 then
    return redis.error_reply('TOOMANY at most ' .. text(COMMANDS_MAX) .. ' commands in one call')
  elseif not is_whole(s) then
    return redis.error_reply('INCOMPLETE a part of this shard is gone')
  end
  read_clock(s)
  read_ahead(s, args)
  local answers = {}
  for n = 2, #args do
    local decide = DECIDE[byte(args[n], 1)]
    if not decide then
      return redis.error_reply('UNKNOWN a command of a kind this library does not know')
    end
    answers[n - 1] = decide(s, args[n])
  end
  if s.events_n > 0 then
    write(s)
  end
  return answers
end

local function begin_term(s, bounds)
  s.term, s.lines_max, s.ttl_min, s.ttl_max, s.life_max, s.tombstones_max = unpack_bytes(BOUNDS, bounds)
  read_clock(s)
  happened(s, pack('>I1', TERM_BEGAN), '')
  write(s)
  return text(s.seq)
end

local function create(keys, args)
  if load_shard(keys) or redis.call('EXISTS', unpack(keys)) > 0 then
    return redis.error_reply('EXISTS there is something of this shard already')
  end
  local s = new_call(keys)
  s.seq, s.now, s.pools_n, s.records_n, s.counts_n, s.due_n = 0, 0, 0, 0, 0, 0
  return begin_term(s, args[1])
end

local function begin(keys, args)
  local s = load_shard(keys)
  if not s then
    return redis.error_reply('NOTLOADED this shard is not in this Redis')
  elseif not is_whole(s) then
    return redis.error_reply('INCOMPLETE a part of this shard is gone')
  end
  local term = unpack_bytes('>I4', args[1])
  if term < s.term then
    return redis.error_reply('TERM the shard is in term ' .. text(s.term))
  elseif term == s.term then
    return text(s.seq)
  end
  return begin_term(s, args[1])
end

redis.register_function('windfall_create_1', create)
redis.register_function('windfall_begin_1', begin)
redis.register_function('windfall_ask_1', ask)
