-- Holds end: confirmed, cancelled or expired, each exactly once. Extending moves the end.

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
  return bytes
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
    units[n] = four(taken[n])
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
    return pack(HOLD, 'H', NOBODY, NOBODY, next_seq(s), s.now, s.now, CANCELLED, 0)
  elseif record.is == 'tombstone' then
    return refuse(ALREADY_CANCELLED)
  elseif record.is == 'change' then
    return refuse(HOLD_UNKNOWN)
  elseif record.state == CANCELLED then
    return hold_answer('R', record)
  end
  local no = not_open(s, record)
  if no then
    return no
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
