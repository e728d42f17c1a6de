"""Makes basis-history-numbers.json: what the history of the basis is held against.

Run once by hand (python3 src/model/curve/history/basis-history-numbers.py); nothing of the product runs it. It shares no code
with the model: exact fractions, and Python's own calendar. Some sessions are faulty on purpose.
"""
import json
import random
from datetime import date, datetime, time, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 400
DICE = random.Random(20261201)
DIGITS = 20
MINUTE = timedelta(minutes=1)
YEAR = timedelta(days=365)
FIRST, LAST = date(2026, 10, 20), date(2026, 12, 8)
DAYLIGHT_ENDS = date(2026, 11, 1)
HOLIDAY = date(2026, 11, 26)


def digits(value: Fraction) -> str:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return format(exact.quantize(Decimal(1).scaleb(-DIGITS), ROUND_HALF_UP), 'f')


def settles(day: date) -> datetime:
    """16:00 in Chicago."""
    return datetime.combine(day, time(21 if day < DAYLIGHT_ENDS else 22), timezone.utc)


def iso(moment: datetime) -> str:
    return moment.strftime('%Y-%m-%dT%H:%M:%SZ')


def price(level: int) -> str:
    return format(Decimal(level * 100 + DICE.randint(-99_999, 99_999)) / 100, 'f')


DAYS = [FIRST + timedelta(days=count) for count in range((LAST - FIRST).days + 1)]
MONTHS = [
    ('V', date(2026, 7, 6), date(2026, 10, 30), 110_000),
    ('X', date(2026, 8, 3), date(2026, 11, 27), 110_600),
    ('Z', date(2026, 3, 30), date(2026, 12, 25), 111_300),
    ('H', date(2026, 10, 1), date(2027, 3, 26), 112_400),
    ('M', date(2026, 10, 5), date(2027, 6, 25), 113_900),
]
perpetual = {day: (price(109_000), settles(day)) for day in DAYS}
months = {
    name: {
        day: (price(level), settles(day))
        for day in DAYS
        if listed <= day <= expires and day.weekday() < 5 and day != HOLIDAY
    }
    for name, listed, expires, level in MONTHS
}
# A session missing in one leg, and in the other.
del perpetual[date(2026, 10, 22)]
del months['Z'][date(2026, 10, 27)]
# A settlement of another minute, and one of the hour before.
for month, day, late in [('X', date(2026, 11, 5), MINUTE), ('Z', date(2026, 11, 12), -60 * MINUTE)]:
    was = months[month][day]
    months[month][day] = (was[0], was[1] + late)
# A price ten times wrong.
was = months['H'][date(2026, 12, 3)]
months['H'][date(2026, 12, 3)] = (format(Decimal(was[0]) * 10, 'f'), was[1])


def basis(day: date, month: str, expires: date):
    """The figures, or a word for why there are none."""
    own, base = months[month].get(day), perpetual.get(day)
    if own is None or base is None or own[1] != base[1]:
        return 'missing'
    future, spot = Fraction(own[0]), Fraction(base[0])
    if max(future, spot) >= Fraction(3, 2) * min(future, spot):
        return 'missing'
    left = settles(expires) - own[1]
    usd = future - spot
    return {
        'usd': usd, 'fraction': usd / spot,
        'aYear': None if left < timedelta(days=3) else usd / spot * Fraction(YEAR // MINUTE, left // MINUTE),
    }


def between(days: int, day: date, row):
    """A price linear in time between the listed months around the maturity."""
    listed = [(expires, row[name]) for name, first, expires, _ in MONTHS if first <= day < expires]
    at = next(months[name][day][1] for name, *_ in MONTHS if day in months[name])
    target = timedelta(days=days)
    before = [one for one in listed if settles(one[0]) - at <= target]
    after = [one for one in listed if settles(one[0]) - at >= target]
    if not before or not after:
        return 'not listed'
    (left, low), (right, high) = before[-1], after[0]
    if low == 'missing' or high == 'missing':
        return 'missing'
    span = (settles(right) - settles(left)) // MINUTE
    share = Fraction((target - (settles(left) - at)) // MINUTE, span) if span else Fraction(0)
    usd = low['usd'] + (high['usd'] - low['usd']) * share
    spot = Fraction(perpetual[day][0])
    return {'usd': usd, 'fraction': usd / spot, 'aYear': usd / spot * Fraction(YEAR // MINUTE, target // MINUTE)}


def written(figures):
    if isinstance(figures, str):
        return figures
    return {name: None if value is None else digits(value) for name, value in figures.items()}


expected = []
for day in sorted({day for settled in months.values() for day in settled}):
    row = {
        name: basis(day, name, expires) if first <= day < expires else 'not listed'
        for name, first, expires, _ in MONTHS
    }
    constants = {f'{days} days': between(days, day, row) for days in (30, 90, 180)}
    lines = {f'{name}{"26" if expires.year == 2026 else "27"}': row[name] for name, _, expires, _ in MONTHS}
    expected.append({'day': day.isoformat(), **{name: written(one) for name, one in {**lines, **constants}.items()}})


def points(settled):
    return [{'date': day.isoformat(), 'time': iso(at), 'settlementPrice': text} for day, (text, at) in settled.items()]


Path(__file__).with_suffix('.json').write_text(json.dumps({
    'made': 'python3 src/model/curve/history/basis-history-numbers.py: exact fractions, rounded to 20 digits.',
    'from': FIRST.isoformat(), 'until': LAST.isoformat(), 'holiday': HOLIDAY.isoformat(),
    'perpetual': points(perpetual),
    'months': [
        {'month': name, 'year': expires.year, 'listed': first.isoformat(), 'expires': iso(settles(expires)),
         'points': points(months[name])}
        for name, first, expires, _ in MONTHS
    ],
    'sessions': expected,
}, indent=1) + '\n')
