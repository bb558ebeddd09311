-- Reading ahead and writing at the end: one call of Redis for many commands.

-- Everything the commands are known by, and what is counted for the owners of new holds.
local function read_ahead(s, commands)
  local keys, reserves = {}, {}
  for n = 2, #commands do
    local command = commands[n]
    local kind = byte(command, 1)
    keys[#keys + 1] = string.sub(command, 2, 17)
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
  local pools, counts = {}, {}
  for _, pool in ipairs(s.touched) do
    assert(pool.total == pool.available + pool.held + pool.taken and pool.available >= 0 and pool.held >= 0,
      'a pool does not add up')
    pools[#pools + 1] = pool.field
    pools[#pools + 1] = pool_bytes(pool)
  end
  for _, field in ipairs(s.counted) do
    counts[#counts + 1] = field
    counts[#counts + 1] = four(s.counts[field])
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
  s.pools_n = s.pools_n + call('HSET', keys[2], pools)
  s.records_n = s.records_n + call('HSET', keys[3], s.new_records)
  s.counts_n = s.counts_n + call('HSET', keys[4], counts)
  s.due_n = s.due_n + call('ZADD', keys[5], s.queued)
  redis.call('SET', keys[1], shard_bytes(s))
end
