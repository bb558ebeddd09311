#!/usr/bin/env python3
"""Checks draws from the outside, with nothing but docs/fairness.md and Python's own library.

Reads lines of words: `published activity round version commitment strategy_hash`, `strategy hex`, `secret hex`, then
`record place link hex` in order. Says that all draws reproduce, or names the first that does not.
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

def verify(lines):
    published, s, secret, link, draws = None, None, None, None, 0
    for line in lines:
        kind, *words = line.split()
        if kind == "published":
            published = [int(word) for word in words[:3]] + [bytes.fromhex(word) for word in words[3:]]
        elif kind == "strategy":
            assert sha(bytes.fromhex(words[0])) == published[4], "the strategy is not the one that was published"
            s = read_strategy(bytes.fromhex(words[0]))
        elif kind == "secret":
            secret = bytes.fromhex(words[0])
            assert sha(secret) == published[3], "the secret is not the one that was committed to"
            link, place = sha(b"WC\0" + struct.pack(">qII", *published[:3]) + published[3] + published[4]), 0
        else:
            data, place = bytes.fromhex(words[2]), place + 1
            link = sha(b"WC\1" + link + struct.pack(">Q", place) + data)
            assert [place, link.hex()] == [int(words[0]), words[1]], f"record {place} is not at its place"
            rec = read_record(data)
            assert [rec["activity"], rec["round"], rec["version"]] == published[:3], f"record {place} is foreign"
            known, counts = {}, dict(today=rec["today"], in_all=rec["in_all"], misses=rec["misses"])
            for index, drawn in enumerate(rec["draws"]):
                told, before = drawn.pop("news"), dict(known)
                known.update(told)
                again, mattered = decide(s, secret, rec, rec["n"] + index, counts, known)
                news = {prize: why for prize, why in mattered.items() if before.get(prize) != why}
                assert again == drawn and news == told and all(possible(s, *one) for one in told.items()), \
                    f"record {place}, draw {rec['n'] + index}: {drawn} {told} is not {again} {news}"
                counts = dict(today=counts["today"] + 1, in_all=counts["in_all"] + 1,
                              misses=0 if drawn["prize"] is not None else counts["misses"] + 1)
                draws += 1
    return draws

if __name__ == "__main__":
    print(f"{verify(open(sys.argv[1]))} draws, all reproduce")
