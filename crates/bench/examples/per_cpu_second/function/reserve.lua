-- Holds begin.

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
  local key, body, ttl, owner, count, at = unpack_bytes('>c16c8i8xxxxxxxxc8I4', command, 2)
  local record = find(s, key)
  if record then
    if record.is == 'hold' and record.body == body then
      return hold_answer('R', record)
    end
    return refuse(CONFLICT)
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
    bytes = pack(HOLD_OF_ONE, 'H', body, owner, next_seq(s), s.now, due, HELD, 1, id, round, units, 0)
    rounds = four(round)
  else
    local lines, no = summed_lines(command, count, at)
    for n = 1, #(lines or {}) do
      no = no or not_given(s, lines[n].pool, owner, lines[n].units)
    end
    if no then
      return no
    end
    local held, taken_in = { pack(HOLD, 'H', body, owner, next_seq(s), s.now, due, HELD, #lines) }, {}
    for n, line in ipairs(lines) do
      local round = take(s, line.pool, owner, line.units)
      held[n + 1], taken_in[n] = pack(LINE, line.pool, round, line.units, 0), four(round)
    end
    bytes, rounds = table.concat(held), table.concat(taken_in)
  end
  keep(s, key, bytes)
  wait_for_end(s, key, due)
  happened(s, command, rounds)
  return bytes
end
