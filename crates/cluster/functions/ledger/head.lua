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

Deliberately absent: activities and tickets, forgetting what has been projected, refilling a shard, and any command that looks for keys.
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
local HOLD = '>c1c8c8I8I8I8I1I4'
local LINE = '>c8I4I4I4'
local HOLD_OF_ONE = '>c1c8c8I8I8I8I1I4c8I4I4I4'
