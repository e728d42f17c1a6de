"""Makes indicator-numbers.json: what the indicators are held against.

Run once by hand (python3 src/model/charts/indicators/indicator-numbers.py); nothing of the product runs it. It shares no
code with the model: plain loops over fractions, each value from its definition, and decimals of 60 digits for roots and
logarithms.
"""
import json
import random
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 120
DICE = random.Random(20261130)
DIGITS = 24


def text(value):
    """A fraction or a decimal with so many digits after the point."""
    if value is None:
        return None
    exact = Decimal(value.numerator) / Decimal(value.denominator) if isinstance(value, Fraction) else value
    return format(exact.quantize(Decimal(1).scaleb(-DIGITS), ROUND_HALF_UP), 'f')


def decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def bars(count):
    """A walk in steps of 5, as prices of a future are, with a high and a low around each settlement."""
    made, price = [], 100_000
    for _ in range(count):
        price += 5 * DICE.randint(-600, 600)
        high = price + 5 * DICE.randint(0, 300)
        low = price - 5 * DICE.randint(0, 300)
        made.append({'high': str(high), 'low': str(low), 'settlement': str(price) + DICE.choice(['', '.5', '.25'])})
    return made


BARS = bars(90)
for bar in BARS:
    bar['high'] = str(max(Fraction(bar['high']), Fraction(bar['settlement'])).__ceil__())
SETTLEMENTS = [Fraction(bar['settlement']) for bar in BARS]
HIGHS = [Fraction(bar['high']) for bar in BARS]
LOWS = [Fraction(bar['low']) for bar in BARS]


def simple(values, n):
    return [None if i < n - 1 else sum(values[i - n + 1:i + 1]) / n for i in range(len(values))]


def smoothed(values, n, share):
    """From the simple average of the first n known values on."""
    known = [i for i, value in enumerate(values) if value is not None]
    out = [None] * len(values)
    if len(known) < n:
        return out
    average = sum(values[i] for i in known[:n]) / n
    out[known[n - 1]] = average
    for i in known[n:]:
        average = average * (1 - share) + values[i] * share
        out[i] = average
    return out


def exponential(values, n):
    return smoothed(values, n, Fraction(2, n + 1))


def wilder(values, n):
    return smoothed(values, n, Fraction(1, n))


def bollinger(values, n, deviations):
    middle, upper, lower = simple(values, n), [], []
    for i, average in enumerate(middle):
        if average is None:
            upper.append(None)
            lower.append(None)
            continue
        variance = sum((value - average) ** 2 for value in values[i - n + 1:i + 1]) / n
        distance = decimal(variance).sqrt() * decimal(deviations)
        upper.append(decimal(average) + distance)
        lower.append(decimal(average) - distance)
    return {'middle': middle, 'upper': upper, 'lower': lower}


def strength(values, n):
    changes = [None] + [b - a for a, b in zip(values, values[1:])]
    rises = wilder([c if c is None else max(c, Fraction(0)) for c in changes], n)
    falls = wilder([c if c is None else max(-c, Fraction(0)) for c in changes], n)
    return [None if r is None else 100 - 100 / (1 + r / f) for r, f in zip(rises, falls)]


def macd(values, fast, slow, signal):
    line = [None if a is None or b is None else a - b for a, b in zip(exponential(values, fast), exponential(values, slow))]
    average = exponential(line, signal)
    return {
        'line': line,
        'signal': average,
        'difference': [None if b is None else a - b for a, b in zip(line, average)],
    }


def true_range(n):
    ranges = [None] + [
        max(HIGHS[i] - LOWS[i], abs(HIGHS[i] - SETTLEMENTS[i - 1]), abs(LOWS[i] - SETTLEMENTS[i - 1]))
        for i in range(1, len(SETTLEMENTS))
    ]
    return wilder(ranges, n)


def volatility(values, n, bars_a_year):
    logs = [(decimal(b) / decimal(a)).ln() for a, b in zip(values, values[1:])]
    out = [None] * len(values)
    for i in range(n, len(values)):
        used = logs[i - n:i]
        mean = sum(used) / n
        variance = sum((value - mean) ** 2 for value in used) / (n - 1)
        out[i] = (variance * decimal(bars_a_year)).sqrt()
    return out


def drawdown(values):
    return [value / max(values[:i + 1]) - 1 for i, value in enumerate(values)]


def texts(values):
    return {name: texts(line) for name, line in values.items()} if isinstance(values, dict) else [text(v) for v in values]


RATES = [Fraction(DICE.randint(-9_999, 30_000), 100_000_000) for _ in range(40)]

NUMBERS = {
    'bars': BARS,
    'sma:20': texts(simple(SETTLEMENTS, 20)),
    'ema:20': texts(exponential(SETTLEMENTS, 20)),
    'bb:20:2': texts(bollinger(SETTLEMENTS, 20, Fraction(2))),
    'bb:7:2.5': texts(bollinger(SETTLEMENTS, 7, Fraction(5, 2))),
    'rsi:14': texts(strength(SETTLEMENTS, 14)),
    'macd:12:26:9': texts(macd(SETTLEMENTS, 12, 26, 9)),
    'atr:14': texts(true_range(14)),
    'vol:30': texts(volatility(SETTLEMENTS, 30, Fraction(365))),
    'dd': texts(drawdown(SETTLEMENTS)),
    'rates': [format(decimal(rate), 'f') for rate in RATES],
    'mean:21': texts(simple(RATES, 21)),
    'sum': texts([sum(RATES[:i + 1]) for i in range(len(RATES))]),
}

Path(__file__).with_suffix('.json').write_text(json.dumps(NUMBERS, indent=1) + '\n')
