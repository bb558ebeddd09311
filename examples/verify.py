#!/usr/bin/env python3
"""Checks an activity's export from the outside, with nothing but docs/fairness.md, docs/raffle.md and Python's own library.

Says that all draws reproduce, or names the first line that is not as it should be and ends with 1.
"""
import hashlib, hmac, struct, sys

sha = lambda data: hashlib.sha256(data).digest()

class Reader:
    def __init__(self, data): self.data, self.at = data, 0
    def take(self, count):
        part = self.data[self.at:self.at + count]
        assert len(part) == count, "the bytes end too early"
        self.at += count
        return part
    def num(self, width, signed=False): return int.from_bytes(self.take(width), "big", signed=signed)
    def short(self):
        value = shift = 0
        while True:
            byte = self.num(1)
            value |= (byte & 127) << shift
            if byte < 128: return value
            shift += 7
    def list(self, one): return [one() for _ in range(self.num(2))]
    def option(self, one): return one() if self.num(1) else None

def read_strategy(data):
    r = Reader(data)
    u = lambda width: lambda: r.num(width)
    assert r.take(3) == b"WS\x01", "not a strategy"
    s = dict(version=r.num(4), whole=r.num(8), renormalised=r.num(1))
    def prize():
        p = dict(id=r.num(2), name=r.take(r.num(2)).decode(), slot=r.num(2), pool=None)
        if r.num(1): p["pool"] = (r.num(8, True), r.num(8))
        p["cost"] = r.num(8)
        p["unlock"] = r.option(lambda: (r.num(4), r.num(1), r.num(1)))
        p["win_cap"] = r.option(u(4))
        p["release"] = r.list(lambda: (r.num(8, True), r.num(8)))
        p["hourly_cap"] = r.option(u(4))
        return p
    s["prizes"] = {p["id"]: p for p in r.list(prize)}
    s["tables"] = r.list(lambda: r.list(lambda: (r.num(2), r.num(8))))
    s["miss_slot"] = r.num(2)
    s["tiers"] = r.option(lambda: (r.num(1), r.list(lambda: (r.num(8), r.num(1)))))
    s["consolation"] = r.option(u(2))
    s["fallback"] = r.option(lambda: (r.num(2), r.num(8), r.num(8), r.num(8)))
    s["pity"] = r.option(lambda: (r.num(2), r.num(4)))
    s["total"], s["daily"] = r.option(u(8)), r.option(u(8))
    assert r.at == len(data), "bytes after the strategy"
    return s

def read_record(data):
    r = Reader(data)
    assert r.take(3) == b"WD\x01", "not a record"
    flags = r.num(1)
    rec = dict(blocked=flags >> 7, activity=r.num(8, True), user=r.num(8, True), client=r.take(16), at=r.num(8, True))
    for name in "round version n day today in_all points misses".split(): rec[name] = r.short()
    rec["rule_path"] = r.take(r.short())
    def draw():
        path = r.num(1)
        assert 1 <= path <= 11, "an unknown path"
        d = dict(path=path, roll=r.short() if path in (1, 2, 5, 6) else None)
        d["prize"] = r.short() if path in (1, 3, 4, 5, 7, 9) else None
        d["points"] = r.short() if path in (5, 7, 9) else 0
        d["hit"] = (r.short(), r.num(1)) if path in (5, 6) else None
        d["slot"], d["news"] = r.short(), {}
        for _ in range(r.num(1)):
            reason, end = r.num(1), 0
            for _ in range(r.short()):
                begin = end + r.short()
                end = begin + r.short()
                d["news"].update({prize: reason for prize in range(begin, end)})
        return d
    rec["draws"] = [draw() for _ in range(flags & 15)]
    assert r.at == len(data), "bytes after the record"
    return rec

def below(secret, tag, rec, n, bound):
    for counter in range(65536):
        message = struct.pack(">BqIIqIH", tag, rec["activity"], rec["round"], rec["version"], rec["user"], n, counter)
        value = hmac.new(secret, message + rec["client"], hashlib.sha256).digest()
        for word in struct.unpack(">4Q", value):
            if word < 2**64 - 2**64 % bound: return word % bound

def possible(s, prize, reason):
    p = s["prizes"][prize]
    return {1: p["pool"], 2: True, 3: True, 4: p["release"], 5: p["hourly_cap"], 6: s["total"], 7: s["daily"],
            8: s["fallback"] and s["fallback"][0] == prize, 9: p["win_cap"]}.get(reason) or False

def decide(s, secret, rec, n, counts, known):
    mattered = {}
    def reason(prize):
        if known.get(prize, 8) != 8: return known[prize]
        unlock = s["prizes"][prize]["unlock"]
        if unlock and (counts["in_all"] if unlock[1] else counts["today"]) + unlock[2] < unlock[0]: return 10
    def there(prize):
        why = reason(prize)
        if why: mattered[prize] = why
        return not why
    def out(path, prize=None, roll=None, points=0, hit=None):
        slot = s["miss_slot"] if prize is None else s["prizes"][prize]["slot"]
        news = {p: why for p, why in mattered.items() if why != 10}
        return dict(path=path, prize=prize, roll=roll, points=points, hit=hit, slot=slot), news
    def instead(path, roll=None, hit=None):
        if s["fallback"]:
            prize, low, high, _ = s["fallback"]
            if there(prize):
                if known.get(prize) != 8: return out(path, prize, roll, low + below(secret, 2, rec, n, high - low + 1), hit)
                mattered[prize] = 8
        return out(path + 1, None, roll, 0, hit)
    if rec["blocked"]:
        if s["consolation"] is None: return out(11)
        return out(3, s["consolation"]) if there(s["consolation"]) else instead(9)
    if s["pity"] and counts["misses"] >= s["pity"][1] and there(s["pity"][0]): return out(4, s["pity"][0])
    table = 0
    if s["tiers"]:
        reached = rec["points"] if s["tiers"][0] else counts["in_all"]
        table = [number for start, number in s["tiers"][1] if start <= reached][-1]
    slices = s["tables"][table]
    bound = s["whole"]
    if s["renormalised"]:
        gone = [(prize, odds) for prize, odds in slices if not there(prize)]
        slices = [part for part in slices if part not in gone]
        bound -= sum(odds for _, odds in gone)
        if not slices: return instead(7)
    roll, end = below(secret, 1, rec, n, bound), 0
    for prize, odds in slices:
        end += odds
        if roll < end: return out(1, prize, roll) if there(prize) else instead(5, roll, (prize, mattered[prize]))
    return out(2, None, roll)

def unhex(word):
    data = bytes.fromhex(word)
    assert data.hex() == word, "not lower-case digits"
    return data

def raffle(roll, secret, beacon):
    r = Reader(roll)
    assert r.take(16) == b"windfall.roll.01", "not a roll"
    head, name = r.take(12), r.take(r.num(2))
    prizes = [r.num(4) for _ in range(r.num(4))]
    candidates, winners = [(r.num(8), r.num(4)) for _ in range(r.num(4))], []
    assert r.at == len(roll) and candidates == sorted(dict(candidates).items()), "not the one form of a roll"
    assert (beacon is not None) == (name != b""), "a beacon that is missing or not expected"
    tail = sha(beacon) if name else bytes(32)
    for prize, place in [(prize, place) for prize, units in enumerate(prizes) for place in range(units)]:
        total, counter = sum(entries for _, entries in candidates), 0
        if not total: break
        while True:
            data = b"windfall.raffle1" + head + sha(roll) + struct.pack(">3I", prize, place, counter) + tail
            number = int.from_bytes(hmac.new(secret, data, "sha256").digest()[:8], "big")
            if number < 2**64 - 2**64 % total: break
            counter += 1
        entry, at = number % total, 0
        while entry >= candidates[at][1]: entry, at = entry - candidates[at][1], at + 1
        winners.append((prize, place, candidates.pop(at)[0]))
    return head, winners

def check_record(s, secret, published, rec):
    assert [rec["activity"], rec["round"], rec["version"]] == published[:3], "the record is foreign"
    known, counts = {}, dict(today=rec["today"], in_all=rec["in_all"], misses=rec["misses"])
    for index, drawn in enumerate(rec["draws"]):
        told, before = drawn.pop("news"), dict(known)
        known.update(told)
        again, mattered = decide(s, secret, rec, rec["n"] + index, counts, known)
        news = {prize: why for prize, why in mattered.items() if before.get(prize) != why}
        assert again == drawn and news == told and all(possible(s, *one) for one in told.items()), \
            f"draw {rec['n'] + index}: {drawn} {told} is not {again} {news}"
        counts = dict(today=counts["today"] + 1, in_all=counts["in_all"] + 1,
                      misses=0 if drawn["prize"] is not None else counts["misses"] + 1)
    return len(rec["draws"])

class Export:
    """Line by line; `draws` and `winners` are those that reproduce."""
    def __init__(self): self.part, self.draws, self.winners, self.seen = "before", 0, 0, set()
    def line(self, text):
        if not text or text.startswith("#"): return
        if self.part == "before":
            assert text == "windfall-export 1", "not an export of version 1"
            self.part = "between"
            return
        kind, *words = text.split(" ")
        step = (self.part, kind)
        if step == ("between", "published"):
            self.published = [int(word) for word in words[:3]] + [unhex(word) for word in words[3:]]
            assert tuple(self.published[:3]) not in self.seen, "the same chain again"
            self.seen.add(tuple(self.published[:3]))
            self.part = "published"
        elif step == ("published", "strategy"):
            data = unhex(words[0])
            assert sha(data) == self.published[4], "the strategy is not the one that was published"
            self.s, self.part = read_strategy(data), "strategy"
            assert self.s["version"] == self.published[2], "the strategy is of another version"
        elif step == ("strategy", "tree"): pass
        elif step == ("strategy", "secret"):
            self.secret, published = unhex(words[0]), self.published
            assert sha(self.secret) == published[3], "the secret is not the one that was committed to"
            self.link, self.place, self.part = sha(b"WC\0" + struct.pack(">qII", *published[:3]) + published[3] + published[4]), 0, "chain"
        elif step == ("chain", "record"):
            data, self.place = unhex(words[2]), self.place + 1
            self.link = sha(b"WC\1" + self.link + struct.pack(">Q", self.place) + data)
            assert words[:2] == [str(self.place), self.link.hex()], f"record {self.place} is not at its place"
            self.draws += check_record(self.s, self.secret, self.published, read_record(data))
        elif step == ("chain", "end"):
            assert int(words[0]) == self.place, f"{words[0]} records are said to be there, and there are {self.place}"
            self.part = "between"
        elif step == ("between", "raffle"):
            self.published = [int(word) for word in words[:2]] + [unhex(word) for word in words[2:]]
            self.roll, self.secret, self.beacon, self.won, self.part = b"", None, None, [], "raffle"
        elif step == ("raffle", "roll"): self.roll += unhex(words[0])
        elif step == ("raffle", "secret"): self.secret = unhex(words[0])
        elif step == ("raffle", "beacon"): self.beacon = unhex(words[0])
        elif step == ("raffle", "winner"): self.won.append(tuple(int(word) for word in words))
        elif step == ("raffle", "end"):
            assert sha(self.secret) == self.published[2], "the secret is not the one that was committed to"
            assert sha(self.roll) == self.published[3], "the roll is not the one that was published"
            head, winners = raffle(self.roll, self.secret, self.beacon)
            assert head == struct.pack(">qI", *self.published[:2]), "the roll is of another raffle"
            assert winners == self.won and int(words[0]) == len(winners), "the winners are not those that were drawn"
            self.winners, self.part = self.winners + len(winners), "between"
        else: raise AssertionError("this line does not belong here")

def main(path):
    export, number = Export(), 0
    try:
        with open(path, encoding="utf-8") as lines:
            for number, text in enumerate(lines, 1): export.line(text.rstrip("\n"))
        assert export.part == "between", "it breaks off before its end"
    except (AssertionError, ValueError, LookupError, TypeError, struct.error) as error:
        sys.exit(f"line {number}: {error}; {export.draws} draws before it reproduce")
    print(f"{export.draws} draws" + (f" and {export.winners} winners of raffles" if export.winners else "") + ", all reproduce")

if __name__ == "__main__":
    main(sys.argv[1])
