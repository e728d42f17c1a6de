"""Makes comparison-numbers.json: what the comparison of products is held against.

Run once by hand (python3 src/model/charts/price/comparison-numbers.py); nothing of the product runs it. It shares no code with
the model: exact fractions, and Python's own calendar.
"""
import json
import random
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 400
DICE = random.Random(20261130)
DIGITS = 20
BEGIN = datetime(2026, 10, 12, tzinfo=timezone.utc)
DAYS = 60
# Daylight saving ends in between, so settlements are an hour later from then on.
WINTER = datetime(2026, 11, 1, tzinfo=timezone.utc)


def digits(value: Fraction) -> str:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return format(exact.quantize(Decimal(1).scaleb(-DIGITS), ROUND_HALF_UP), 'f')


def iso(moment: datetime) -> str:
    return moment.strftime('%Y-%m-%dT%H:%M:%S.000000Z')


def settlements(level: int, every_day: bool, missing: float):
    rows = {}
    for number in range(DAYS):
        day = BEGIN + timedelta(days=number)
        price = Fraction(level * 100 + DICE.randint(-90000, 90000) * 5, 100)
        if (not every_day and day.isoweekday() > 5) or DICE.random() < missing:
            continue
        hour = 21 if day < WINTER else 22
        rows[day] = (price, day + timedelta(hours=hour))
    return rows


def basis(later, earlier, begin: datetime, until: datetime):
    minutes = Fraction(int((until - begin).total_seconds()), 60)
    if minutes < 3 * 1440:
        return None
    return digits((later / earlier - 1) * 365 * 1440 / minutes)


EXPIRIES = {'near': datetime(2026, 11, 27, 22, tzinfo=timezone.utc), 'far': datetime(2026, 12, 25, 22, 17, tzinfo=timezone.utc)}
PRODUCTS = {
    'perpetual': settlements(107000, True, 0.02),
    'near': {day: row for day, row in settlements(107300, False, 0.05).items() if row[1] <= EXPIRIES['near']},
    'far': settlements(107900, False, 0.1),
}


def compare(names, period):
    days = [day for day in PRODUCTS[names[0]] if all(day in PRODUCTS[name] for name in names)]
    ends = {}
    for day in days:
        key = {'1D': day, '1W': day.isocalendar()[:2], '1M': (day.year, day.month)}[period]
        ends[key] = day
    compared = list(ends.values())
    first, reference = compared[0], names[0]
    price = lambda name, day: PRODUCTS[name][day][0]
    rows = []
    for day in compared:
        row = {'session': day.strftime('%Y-%m-%d')}
        row['rebased'] = [digits(100 * price(name, day) / price(name, first)) for name in names]
        row['difference'] = [digits(price(name, day) - price(reference, day)) for name in names[1:]]
        row['ratio'] = [digits(price(name, day) / price(reference, day)) for name in names[1:]]
        row['basis'] = []
        for name in names[1:]:
            begin = PRODUCTS[name][day][1] if reference == 'perpetual' else EXPIRIES[reference]
            row['basis'].append(basis(price(name, day), price(reference, day), begin, EXPIRIES[name]))
        rows.append(row)
    return {'products': names, 'period': period, 'rows': rows}


NUMBERS = {
    'expiries': {name: iso(at) for name, at in EXPIRIES.items()},
    'settlements': {
        name: [[day.strftime('%Y-%m-%d'), iso(at), f'{float(price):.2f}'] for day, (price, at) in rows.items()]
        for name, rows in PRODUCTS.items()
    },
    'comparisons': [
        compare(['perpetual', 'near', 'far'], '1D'),
        compare(['perpetual', 'far'], '1W'),
        compare(['perpetual', 'far'], '1M'),
        compare(['near', 'far'], '1D'),
    ],
}
Path(__file__).with_name('comparison-numbers.json').write_text(json.dumps(NUMBERS).replace('}, {', '},\n{') + '\n')
