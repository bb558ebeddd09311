#!/usr/bin/env python3
"""Checks an activity's export from the outside, with nothing but docs/fairness.md, docs/raffle.md and Python's own library.

Says that all draws reproduce, or names the first line that is not as it should be and ends with 1; with 2 when there is
nothing to say, since it is no export or nothing in it is revealed.
"""
import datetime, hashlib, hmac, struct, sys
from collections import Counter
from types import SimpleNamespace as Bag

sha = lambda data: hashlib.sha256(data).digest()

class Bytes:
    def __init__(self, data): self.data, self.at = data, 0
    def take(self, count):
        self.at += count
        assert self.at <= len(self.data), "the bytes end too early"
        return self.data[self.at - count:self.at]
    def u(self, width): return int.from_bytes(self.take(width), "big")
    def i(self): return int.from_bytes(self.take(8), "big", signed=True)
    def text(self): return self.take(self.u(2)).decode()
    def short(self): return (byte := self.u(1)) & 127 | (self.short() << 7 if byte > 127 else 0)
    def list(self, one): return [one() for _ in range(self.u(2))]
    def option(self, one): return one() if self.u(1) else None
    def end(self): assert self.at == len(self.data), "there are bytes after the end"

def read_strategy(data):
    r = Bytes(data)
    u2, u4, u8 = lambda: r.u(2), lambda: r.u(4), lambda: r.u(8)
    head = r.take(3)
    assert head in (b"WS\1", b"WS\2"), "not a strategy"
    unlock = lambda: Bag(draws=u4(), in_all=r.u(1), current=r.u(1))
    prize = lambda: (u2(), Bag(name=r.text(), slot=u2(), pool=r.option(lambda: (r.i(), u8())), cost=u8(), unlock=r.option(unlock),
                               cap=r.option(u4), release=r.list(lambda: (r.i(), u8())), hourly=r.option(u4),
                               labels=r.list(r.text) if head[2] == 2 else []))
    s = Bag(version=u4(), whole=u8(), renormalised=r.u(1), prizes=dict(r.list(prize)),
               tables=r.list(lambda: r.list(lambda: (u2(), u8()))), miss_slot=u2(),
               tiers=r.option(lambda: (r.u(1), r.list(lambda: (u8(), r.u(1))))), consolation=r.option(u2),
               fallback=r.option(lambda: Bag(prize=u2(), low=u8(), high=u8(), budget=u8())),
               pity=r.option(lambda: (u2(), u4())), total=r.option(u8), daily=r.option(u8), end=r.end())
    assert head[2] == 1 or any(p.labels for p in s.prizes.values()), "a form for risk labels, and there is none"
    return s

def read_tree(data):
    """The root, and per node 0 (deny), 1 (allow), 2 (an activity) or the nodes that its edges lead to."""
    r, nodes, root = Bytes(data), {}, None
    assert r.take(4) == b"WT\1\1", "not a tree that says who may take part"
    value = lambda: (r.i, r.text, lambda: r.u(1))[r.u(1)]()
    whens = [lambda: None, value, value, value, value, value, lambda: r.list(value), lambda: (value(), value())]
    edge = lambda: (r.u(4), whens[r.u(1)]())[0]
    for _ in range(r.u(2)):
        node, is_root, _, kind = r.u(4), r.u(1), r.text(), r.u(1)
        nodes[node] = (r.text(), r.u(1), r.list(edge))[2] if kind == 3 else (kind, kind == 2 and r.i())[0]
        root = node if is_root else root
    return root, nodes, r.end()

def read_record(data):
    r, news = Bytes(data), {}
    assert r.take(3) == b"WD\1", "not a record"
    flags, names = r.u(1), "round version n day today in_all points misses".split()
    rec = Bag(blocked=flags >> 7, activity=r.i(), player=r.i(), client=r.take(16), at=r.i(), **{name: r.short() for name in names})
    assert 0 < rec.player < 2**32, "no player's number"
    rec.rule_path, rec.draws = r.take(r.short()), []
    for _ in range(flags & 15):
        path, news = r.u(1), {}
        draw = dict(path=path, roll=r.short() if path in (1, 2, 5, 6) else None, prize=r.short() if path in (1, 3, 4, 5, 7, 9) else None,
                    points=r.short() if path in (5, 7, 9) else 0, hit=(r.short(), r.u(1)) if path in (5, 6) else None, slot=r.short())
        for _ in range(r.u(1)):
            reason, end = r.u(1), 0
            for _ in range(r.short()):
                begin = end + r.short()
                end = begin + r.short()
                news.update(dict.fromkeys(range(begin, end), reason))
        rec.draws.append((draw, news))
    r.end()
    return rec

def below(secret, tag, rec, n, bound):
    for counter in range(65536):
        message = struct.pack(">BqIIqIH", tag, rec.activity, rec.round, rec.version, rec.player, n, counter) + rec.client
        for word in struct.unpack(">4Q", hmac.digest(secret, message, "sha256")):
            if word < 2**64 - 2**64 % bound: return word % bound

def decide(s, secret, rec, n, user, known):
    """One draw from its inputs: what came of it, and the excluded prizes that mattered."""
    mattered = {}
    def there(prize):
        why, unlock = known.get(prize, 8), s.prizes[prize].unlock
        locked = unlock and (user.n if unlock.in_all else user.today) + unlock.current < unlock.draws
        if why != 8 or locked: mattered[prize] = why if why != 8 else 10
        return prize not in mattered
    def out(path, prize=None, roll=None, points=0, hit=None):
        slot = s.miss_slot if prize is None else s.prizes[prize].slot
        draw = dict(path=path, roll=roll, prize=prize, points=points, hit=hit, slot=slot)
        return draw, {prize: why for prize, why in mattered.items() if why != 10}
    def instead(path, roll=None, hit=None):
        f = s.fallback
        if f and there(f.prize):
            if known.get(f.prize) != 8:
                return out(path, f.prize, roll, f.low + below(secret, 2, rec, n, f.high - f.low + 1), hit)
            mattered[f.prize] = 8
        return out(path + 1, None, roll, 0, hit)
    if rec.blocked:
        if s.consolation is None: return out(11)
        return out(3, s.consolation) if there(s.consolation) else instead(9)
    if s.pity and user.misses >= s.pity[1] and there(s.pity[0]): return out(4, s.pity[0])
    by_points, tiers = s.tiers or (0, [(0, 0)])
    slices = s.tables[[table for start, table in tiers if start <= (rec.points if by_points else user.n)][-1]]
    bound = s.whole
    if s.renormalised:
        bound -= sum(odds for prize, odds in slices if not there(prize))
        slices = [(prize, odds) for prize, odds in slices if prize not in mattered]
        if not slices: return instead(7)
    roll, end = below(secret, 1, rec, n, bound), 0
    for prize, odds in slices:
        end += odds
        if roll < end: return out(1, prize, roll) if there(prize) else instead(5, roll, (prize, mattered[prize]))
    return out(2, None, roll)

def day_of(number):
    """A date written as yyyymmdd in days since 1970."""
    try: return datetime.date(number // 10_000, number // 100 % 100, number % 100).toordinal() - datetime.date(1970, 1, 1).toordinal()
    except (ValueError, OverflowError): return None

class Round:
    """What the draws of a round came to, whichever version they were made under."""
    def __init__(self):
        self.at, self.day, self.spent, self.today, self.points = -2**63, 0, 0, 0, 0
        self.given, self.hour, self.users, self.date = Counter(), Counter(), {}, -2**63
    def holds(self, s, user, prize, reason):
        p, f, beyond = s.prizes[prize], s.fallback, lambda cap, spent: cap is not None and spent + s.prizes[prize].cost > cap
        released = ([0] + [units for at, units in p.release if at <= self.at])[-1]
        return {1: p.pool, 2: True, 3: bool(p.labels), 4: p.release and self.given[prize] >= released,
                5: p.hourly is not None and self.hour[prize] >= p.hourly, 6: beyond(s.total, self.spent), 7: beyond(s.daily, self.today),
                8: f and f.prize == prize and f.budget - self.points < f.high,
                9: p.cap is not None and user.wins[prize] >= p.cap}.get(reason)
    def follow(self, s, secret, rec):
        user = self.users.setdefault(rec.player, Bag(n=0, day=rec.day, today=0, misses=0, client=rec.client, wins=Counter()))
        if user.day != rec.day: user.day, user.today = rec.day, 0
        if self.day != rec.day: self.day, self.today = rec.day, 0
        if self.at // 3_600_000 != rec.at // 3_600_000: self.hour.clear()
        assert self.at <= rec.at, "time went back"
        date, in_utc = day_of(rec.day), rec.at // 86_400_000
        assert date is not None and abs(date - in_utc) <= 1 and self.date <= date, \
            f"the day {rec.day} is no date that fits the moment and the records before"
        self.date = date
        assert (rec.n, rec.in_all, rec.today, rec.misses, rec.client) == (user.n, user.n, user.today, user.misses, user.client), \
            f"the counts of player {rec.player} are not what the records before say"
        self.at, known = rec.at, {}
        for draw, told in rec.draws:
            before, known = known, {**known, **told}
            again, mattered = decide(s, secret, rec, user.n, user, known)
            news = {prize: why for prize, why in mattered.items() if before.get(prize) != why}
            assert (again, news) == (draw, told), f"draw {user.n}: {draw} {told} is not {again} {news}"
            assert all(self.holds(s, user, *one) for one in told.items()), f"draw {user.n}: {told} is not so"
            if (prize := draw["prize"]) is not None:
                whys, cap = (4, 5, 6, 7, 9) + (8,) * (draw["points"] > 0), s.prizes[prize].cap is not None
                assert not any(self.holds(s, user, prize, why) for why in whys), f"draw {user.n}: {prize} could not be given"
                self.spent, self.today = self.spent + s.prizes[prize].cost, self.today + s.prizes[prize].cost
                self.points += draw["points"]
                for count, more in (self.given, 1), (self.hour, 1), (user.wins, cap): count[prize] += more
            user.n, user.today, user.misses = user.n + 1, user.today + 1, user.misses + 1 if prize is None else 0

def raffle(roll, secret, beacon):
    r, winners = Bytes(roll), []
    assert r.take(16) == b"windfall.roll.01", "not a roll"
    head, name, prizes = r.take(12), r.take(r.u(2)), [r.u(4) for _ in range(r.u(4))]
    candidates = [(r.u(8), r.u(4)) for _ in range(r.u(4))]
    assert candidates == sorted(dict(candidates).items()) and (beacon is not None) == (name != b""), "not the one form of a roll"
    r.end()
    for prize, place in [(prize, place) for prize, units in enumerate(prizes) for place in range(units)]:
        total, counter, number = sum(entries for _, entries in candidates), 0, 2**64
        if not total: break
        while number >= 2**64 - 2**64 % total:
            message = b"windfall.raffle1" + head + sha(roll) + struct.pack(">3I", prize, place, counter)
            message += sha(beacon) if name else bytes(32)
            number, counter = int.from_bytes(hmac.digest(secret, message, "sha256")[:8], "big"), counter + 1
        entry, at = number % total, 0
        while entry >= candidates[at][1]: entry, at = entry - candidates[at][1], at + 1
        winners.append((prize, place, candidates.pop(at)[0]))
    return head, winners

class Export:
    def __init__(self, text):
        self.text, self.number, self.draws, self.winners, self.counts, self.chain = text, 0, 0, 0, [0, 0, 0], (0, 0, 0)
        self.head, self.notices = False, []
    def line(self):
        for self.number, line in enumerate(self.text, self.number + 1):
            line = line.decode().removesuffix("\n").removesuffix("\r")
            if line and line[0] != "#": return line.split(" ")
        raise AssertionError("it breaks off before its end")
    def need(self, *kinds):
        kind, *words = self.line()
        assert kind in kinds, "this line does not belong here"
        return [kind] + words if len(kinds) > 1 else words
    def bytes(self, word, hashed=None, what=""):
        assert bytes.fromhex(word).hex() == word, "not lower-case digits"
        assert hashed is None or sha(bytes.fromhex(word)).hex() == hashed, f"the {what} is not the one that was published"
        return bytes.fromhex(word)
    def check(self):
        assert self.need("windfall-export") == ["1"], "not an export of version 1"
        self.head = True
        while (line := self.need("published", "raffle", "sealed", "total"))[0] != "total":
            getattr(self, line[0])(*line[1:])
        assert [int(count) for count in line[1:]] == self.counts, "the totals are not those of the lines before"
        for self.number, line in enumerate(self.text, self.number + 1):
            assert line in (b"\n", b"\r\n") or line[:1] == b"#", "there is something after the last line"
    def published(self, activity, round_, version, commitment, strategy_hash):
        before, self.chain = self.chain, (int(activity), int(round_), int(version))
        assert before[0] != self.chain[0] or before < self.chain, "chains ascend by round and version"
        if before[:2] != self.chain[:2]: self.round = Round()
        s = read_strategy(self.bytes(*self.need("strategy"), strategy_hash, "strategy"))
        assert s.version == self.chain[2], "the strategy is of another version"
        kind, *words = self.need("tree", "secret")
        tree = read_tree(self.bytes(words[2])) if kind == "tree" else None
        secret = self.bytes(*(self.need("secret") if tree else words), commitment, "secret")
        link, place = sha(b"WC\0" + struct.pack(">qII", *self.chain) + self.bytes(commitment) + self.bytes(strategy_hash)), 0
        pathed = False
        while (line := self.need("record", "end"))[0] == "record":
            data, place = self.bytes(line[3]), place + 1
            link = sha(b"WC\1" + link + struct.pack(">Q", place) + data)
            assert line[1:3] == [str(place), link.hex()], f"record {place} is not at its place"
            rec = read_record(data)
            assert (rec.activity, rec.round, rec.version) == self.chain, "the record is of another chain"
            if tree:
                node, nodes, _ = tree
                for edge in rec.rule_path[1:]: node = nodes[node][edge]
                assert rec.rule_path[:1] == bytes([len(rec.rule_path) - 1]) and nodes[node] == 1, "the rule path lets nobody in"
            self.round.follow(s, secret, rec)
            self.draws, pathed = self.draws + len(rec.draws), pathed or rec.rule_path != b""
        assert line[1:] == [str(place)], f"{line[1]} records are said to be there, and there are {place}"
        self.counts[0] += 1
        if pathed and not tree:
            self.notices.append("activity {}, round {}, version {}: tickets came by a rule tree (tree_missing), and the export has "
                                "none to check it with; was one published with the activity?".format(*self.chain))
    def raffle(self, activity, round_, commitment, roll_hash):
        given = dict(roll="", secret="", beacon=None, winner=[])
        while (line := self.need("roll", "secret", "beacon", "winner", "end"))[0] != "end":
            if line[0] == "winner": given["winner"].append(tuple(int(word) for word in line[1:]))
            else: given[line[0]] = (given["roll"] if line[0] == "roll" else "") + line[1]
        roll, secret = self.bytes(given["roll"], roll_hash, "roll"), self.bytes(given["secret"], commitment, "secret")
        head, winners = raffle(roll, secret, given["beacon"] and self.bytes(given["beacon"]))
        assert head == struct.pack(">qI", int(activity), int(round_)), "the roll is of another raffle"
        assert winners == given["winner"] and line[1:] == [str(len(winners))], "the winners are not those that were drawn"
        self.winners, self.counts[1] = self.winners + len(winners), self.counts[1] + 1
    def sealed(self, activity, round_, versions, draws):
        self.notices.append(f"round {round_}, version{'s' * (',' in versions)} {versions.replace(',', ', ')}: {draws} draws, not revealed yet")
        self.counts[2] += 1

def unknown(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(2)

def main(path):
    try: text = open(path, "rb")
    except OSError as error: unknown(f"{path} cannot be read: {error.strerror}")
    with text:
        export = Export(text)
        try: export.check()
        except OSError as error: unknown(f"{path} cannot be read: {error.strerror}")
        except (AssertionError, ValueError, LookupError, TypeError, struct.error) as error:
            if not export.head: unknown(f"{path}: this is no export, it does not begin with `windfall-export 1`")
            sys.exit(f"line {export.number}: {error}; {export.draws} draws before it reproduce")
    if not any(export.counts[:2]):
        notices = "".join(f"\n  {notice}" for notice in export.notices)
        unknown(f"nothing_to_verify: the export has no finished round; a secret is revealed when its round has ended{notices}")
    print(f"{export.draws} draws" + (f" and {export.winners} winners of raffles" if export.winners else "") + ", all reproduce", flush=True)
    for notice in export.notices: print(notice, file=sys.stderr)

if __name__ == "__main__": main(sys.argv[1]) if len(sys.argv) == 2 else unknown("usage: verify.py EXPORT")
