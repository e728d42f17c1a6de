"""Makes curve-numbers.json: what the curve's basis and constant maturities are held against.

Run once by hand (python3 src/model/curve/curve-numbers.py); nothing of the product runs it. It shares no code with the
model: exact fractions, and Python's own calendar.
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
LETTERS = 'FGHJKMNQUVXZ'


def digits(value: Fraction) -> str:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return format(exact.quantize(Decimal(1).scaleb(-DIGITS), ROUND_HALF_UP), 'f')


def iso(moment: datetime) -> str:
    return moment.strftime('%Y-%m-%dT%H:%M:%SZ')


def figures_of(settlement: Fraction, perpetual: Fraction, left: timedelta):
    usd = settlement - perpetual
    fraction = usd / perpetual
    year = timedelta(days=365)
    a_year = fraction * Fraction(year // timedelta(minutes=1), left // timedelta(minutes=1))
    return {'settlement': settlement, 'usd': usd, 'fraction': fraction, 'aYear': a_year}


def between(days: int, months, perpetual: Fraction):
    """A price linear in time between the month before and the month after; none beyond the first or the last month."""
    for (left, low), (right, high) in zip(months, months[1:]):
        target = timedelta(days=days)
        if left <= target <= right:
            share = Fraction((target - left) // timedelta(minutes=1), (right - left) // timedelta(minutes=1))
            settlement = low['settlement'] + (high['settlement'] - low['settlement']) * share
            return figures_of(settlement, perpetual, target)
    return None


def written(figures):
    return None if figures is None else {name: digits(value) for name, value in figures.items()}


def curve(increment: str, perpetual_increment: str, level: int, drift: int):
    settled = datetime(2026, DICE.randint(1, 12), DICE.randint(1, 28), 21, tzinfo=timezone.utc)
    perpetual = Fraction(level + DICE.randint(-50, 50)) * Fraction(perpetual_increment)
    ticks_of_perpetual = perpetual / Fraction(perpetual_increment)
    months, rows = [], []
    left = timedelta(days=DICE.randint(4, 25))
    for number in range(7):
        expires = settled + left + timedelta(hours=DICE.choice([0, 1]))
        # A settlement may be a fraction of a tick.
        ticks = Fraction(perpetual, Fraction(increment)) + drift * number + Fraction(DICE.randint(-60, 60), 4)
        ticks = Fraction(round(ticks * 4), 4)
        figures = figures_of(ticks * Fraction(increment), perpetual, expires - settled)
        months.append((expires - settled, figures))
        rows.append({
            'month': LETTERS[number], 'expires': iso(expires), 'ticks': format(Decimal(ticks.numerator) / ticks.denominator, 'f'),
            'minutes': (expires - settled) // timedelta(minutes=1), **written(figures),
        })
        left += timedelta(days=DICE.choice([21, 28, 35, 63]))
    return {
        'settled': iso(settled), 'increment': increment, 'perpetual_increment': perpetual_increment,
        'perpetual_ticks': str(ticks_of_perpetual), 'months': rows,
        'constant': {str(days): written(between(days, months, perpetual)) for days in (30, 90, 180)},
    }


CURVES = [
    curve('5', '5', 21500, 90),
    curve('0.2', '0.2', 17900, -40),
    curve('0.01', '0.0005', 330000, 3),
    curve('0.00001', '0.000002', 7200, 11),
]
Path(__file__).with_suffix('.json').write_text(json.dumps({
    'made': 'python3 src/model/curve/curve-numbers.py: exact fractions, rounded to 20 digits.',
    'curves': CURVES,
}, indent=1) + '\n')
