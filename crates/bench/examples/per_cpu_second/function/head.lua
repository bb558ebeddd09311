#!lua name=windfall_ledger_1
--[[
Reservations of the ledger's contract, decided and journalled in one call: what a ledger in Redis would do for one.

    FCALL windfall_create_1 6 <keys> <term and bounds>            a shard that never was
    FCALL windfall_ask_1    6 <keys> <term> <command> <command>…  each command with an answer of its own, in order

It does the work that `domain::ledger` does for a reservation: ids that are repeated, limits of an owner, several pools or
none, an end that is found by its time, a journal with numbers. Nothing is written before everything is decided; the
journal is written first, because it may refuse.

Deliberately absent: whatever is not measured. Holds do not end here, pools are opened and not changed, and nobody reads
the journal.

Numbers are doubles here: exact up to 2^53, and no total exceeds 2^50. Whatever may be larger (ids of pools, callers
and owners, keys, fingerprints) stays the bytes it came as.
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
local TERM_BEGAN, POOL_OPEN, RESERVE = 0, 1, 5
local OPEN, CLOSED = 0, 2 -- states of a pool
local HELD = 0 -- state of a hold
-- Refusals, by their place in `domain::ledger::Refusal`.
local POOL_UNKNOWN, ROUND_STALE, FROZEN, POOL_CLOSED, SOLD_OUT, LIMIT_REACHED, CONFLICT = 1, 2, 3, 4, 5, 6, 7
local TOTAL_TOO_LARGE, NO_LINES, TOO_MANY_LINES, QUANTITY_TOO_LARGE, TTL_OUT_OF_RANGE = 14, 15, 16, 17, 18

local SHARD = '>I4I8I8I8I8I8I8I4i8i8i8I4'
local BOUNDS = '>I4I4i8i8i8I4'
local POOL = '>I4I1I4I8I8I8I8'
local HOLD = '>c1c8c8I8I8I8I1I4'
local LINE = '>c8I4I4I4'
local HOLD_OF_ONE = '>c1c8c8I8I8I8I1I4c8I4I4I4'
