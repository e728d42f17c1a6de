#!/usr/bin/env python3
"""Recomputes funding rates from premium samples, without any of the exchange's code.

    funding-check.py [FILE]

FILE is the exchange's SQLite file, or JSON lines (standard input where no FILE is given). A line is one of

    {"productId": 1, "intervalStart": 0, "i": 1, "premium": 0.0001}
    {"productId": 1, "intervalStart": 0, "i": 1, "index": 100.5, "bids": [[101, 3]], "asks": [[102, 4]]}
    {"productId": 1, "start": 0, "rate": 0.0001}

that is: a sample, the book that a sample is taken from (levels of price and contracts; an empty book is a missing
sample), or a settled interval. A missing sample counts as the one before it, from the first sample on.

Prints one JSON line per interval: the rate by the published formula, in exact fractions, and whether the settled one
agrees. An interval without a settled rate is the current one. Status 1: a rate disagrees; 2: no samples.
"""

import json
import sqlite3
import sys
from collections import defaultdict
from contextlib import closing
from fractions import Fraction
from pathlib import Path

SAMPLES = 1920
INTEREST = Fraction(1, 10_000)
LIMIT = Fraction(5, 10_000)


def rounded(value, digits):
    """To so many decimal digits, half away from zero."""
    scaled = abs(value) * 10**digits
    size = Fraction((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator), 10**digits)
    return -size if value < 0 else size


def premium_of_book(sample):
    index = Fraction(sample["index"])

    def mean(levels):
        contracts = sum(Fraction(quantity) for _, quantity in levels)
        return sum(Fraction(price) * Fraction(quantity) for price, quantity in levels) / contracts

    above = max(0, mean(sample["bids"]) - index) if sample["bids"] else 0
    below = max(0, index - mean(sample["asks"])) if sample["asks"] else 0
    return rounded((above - below) / index, 10)


def rate_of(premiums, settled):
    """The formula over {sample number: premium}; a missing sample counts as the one before it."""
    last = SAMPLES if settled else max(premiums)
    weighted = weight = Fraction(0)
    premium = None
    for i in range(1, last + 1):
        premium = premiums.get(i, premium)
        if premium is not None:
            weighted += i * premium
            weight += i
    mean = weighted / weight
    return rounded(mean + min(max(INTEREST - mean, -LIMIT), LIMIT), 8)


def read_lines(lines):
    for line in lines:
        if not line.strip():
            continue
        record = json.loads(line, parse_float=Fraction)
        if "start" in record:
            yield "interval", record["productId"], record["start"], Fraction(record["rate"])
        elif "premium" in record or record["bids"] or record["asks"]:
            premium = Fraction(record["premium"]) if "premium" in record else premium_of_book(record)
            yield "sample", record["productId"], record["intervalStart"], (record["i"], premium)


def read_sqlite(path):
    with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)) as database:
        for product, start, rate in database.execute("SELECT product_id, start_at, rate FROM funding"):
            yield "interval", product, start, Fraction(repr(rate))
        for product, start, i, premium in database.execute(
            "SELECT product_id, interval_start, i, premium FROM samples"
        ):
            yield "sample", product, start, (i, Fraction(repr(premium)))


def read(path):
    if path is None:
        yield from read_lines(sys.stdin)
        return
    with open(path, "rb") as file:
        is_sqlite = file.read(16) == b"SQLite format 3\0"
    if is_sqlite:
        yield from read_sqlite(path)
    else:
        with open(path, encoding="utf-8") as file:
            yield from read_lines(file)


def main(path=None):
    samples, rates = defaultdict(dict), {}
    for kind, product, start, value in read(path):
        if kind == "interval":
            rates[product, start] = value
        else:
            i, premium = value
            samples[product, start][i] = premium
    disagree = 0
    for key, premiums in sorted(samples.items()):
        rate = rate_of(premiums, settled=key in rates)
        agrees = rate == rates[key] if key in rates else None
        disagree += agrees is False
        report = {"productId": key[0], "start": key[1], "samples": len(premiums), "rate": float(rate), "agrees": agrees}
        print(json.dumps(report))
    checked = len(samples.keys() & rates.keys())
    print(f"{checked} settled rates recomputed, {disagree} disagree", file=sys.stderr)
    return 1 if disagree else 0 if samples else 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
