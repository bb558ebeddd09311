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
  happened(s, command, four(pool.round))
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
    old.field = id .. four(old.round)
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
