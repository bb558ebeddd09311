-- The doors: what can be called from outside.

local DECIDE = {
  [POOL_OPEN] = pool_open,
  [RESERVE] = reserve,
}

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

redis.register_function('windfall_create_1', create)
redis.register_function('windfall_ask_1', ask)
