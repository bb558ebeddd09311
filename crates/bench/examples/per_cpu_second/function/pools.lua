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
  if round ~= 1 or current(s, id) then
    return refuse(ROUND_STALE, id, round)
  end
  local pool = { id = id, field = id, round = round, state = OPEN, owner_max = owner_max, total = total,
    available = total, held = 0, taken = 0 }
  s.pools[id] = pool
  return changed(s, command, key, body, pool)
end
