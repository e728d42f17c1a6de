"""Makes checked-numbers.json: what the domain's results are held against.

Run once by hand (python3 src/model/checked-numbers.py); nothing of the product runs it. It shares no code with the
domain: exact fractions, Python's own calendar and the system's time zone database.
"""
import json
import random
from datetime import date, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

getcontext().prec = 400
DICE = random.Random(20260817)
CHICAGO = ZoneInfo('America/Chicago')


def digits(value: Fraction, count: int = 30) -> str:
    """A fraction as a plain decimal with so many digits after the point."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return format(exact.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP), 'f')


def conversions():
    increments = ['0.000002', '0.05', '0.0001', '0.0005', '0.01', '0.00002', '5', '0.2', '2.5', '1e-7']
    cases = []
    for increment in increments:
        for ticks in [1, 11447, 22916, -126, 101234.56, 8366.125]:
            cases.append({'ticks': repr(ticks), 'increment': increment, 'usd': format(Decimal(repr(ticks)) * Decimal(increment), 'f')})
    return cases


def cents():
    values = [1, 99, 2365870, 33806080, 9007199254740991, 0, 100]
    return [{'cents': str(value), 'usd': digits(Fraction(value, 100), 2)} for value in values]


def rates():
    year = 3 * 365
    values = ['0.0001', '-0.00031', '0.000125', '0.0005', '0', '0.00001', '-0.0000005']
    return [
        {
            'rate': value,
            'apr': format((Decimal(value) * year).normalize(), 'f'),
            'apy': digits((1 + Fraction(value)) ** year - 1),
        }
        for value in values
    ]


def price(value: Fraction) -> str:
    return digits(value, 10)


def daily_bars():
    bars = []
    level = Fraction(87500)
    day = date(2025, 12, 1)
    while len(bars) < 90:
        if day.weekday() < 5 and DICE.random() > 0.1:
            moves = [level + Fraction(DICE.randint(-300000, 300000), 10000) for _ in range(6)]
            open_, close = moves[0], moves[-1]
            settle = close + Fraction(DICE.randint(-50, 50), 1000)
            bars.append({
                'date': day.isoformat(),
                'open': price(open_), 'high': price(max(moves)), 'low': price(min(moves)), 'close': price(close),
                'settlement': price(settle), 'volume': DICE.randint(1, 5000),
            })
            level = close
        day += timedelta(days=1)
    return bars


def grouped(bars, key):
    groups = {}
    for bar in bars:
        groups.setdefault(key(date.fromisoformat(bar['date'])), []).append(bar)
    return [
        {
            'date': group[0]['date'], 'lastDate': group[-1]['date'], 'sessions': len(group),
            'open': group[0]['open'], 'close': group[-1]['close'], 'settlement': group[-1]['settlement'],
            'high': max((bar['high'] for bar in group), key=Fraction),
            'low': min((bar['low'] for bar in group), key=Fraction),
            'volume': sum(bar['volume'] for bar in group),
        }
        for group in groups.values()
    ]


def bars():
    daily = daily_bars()
    prices = [Fraction(bar['settlement']) for bar in daily]
    moves = [after / before - 1 for before, after in zip(prices, prices[1:])]
    return {
        'daily': daily,
        'weekly': grouped(daily, lambda day: day.isocalendar()[:2]),
        'monthly': grouped(daily, lambda day: (day.year, day.month)),
        'returns': [digits(move) for move in moves],
        'deviation': deviation(moves),
        'change': {'absolute': digits(prices[-1] - prices[0]), 'fraction': digits(prices[-1] / prices[0] - 1)},
    }


def deviation(values):
    """Of a sample: squares of what lies off the mean, over one fewer than there are."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    root = (Decimal(variance.numerator) / Decimal(variance.denominator)).sqrt()
    return format(root.quantize(Decimal(1).scaleb(-30), ROUND_HALF_UP), 'f')


def sessions():
    """The session that a moment belongs to settles at the next 16:00 of Chicago."""
    moments = [datetime(2026, 11, 20, 21, 59, 59), datetime(2026, 11, 20, 22, 0, 0), datetime(2026, 7, 1, 20, 59, 59), datetime(2026, 7, 1, 21, 0, 0)]
    # Round the two changes of the clocks in Chicago of 2026: 8 March and 1 November.
    for start in (datetime(2026, 3, 7, 12), datetime(2026, 10, 31, 12)):
        moments += [start + timedelta(hours=hours) for hours in range(0, 60, 3)]
    moments += [datetime(2026, 3, 8, 7, 59, 59), datetime(2026, 3, 8, 8), datetime(2025, 12, 31, 22), datetime(2028, 2, 28, 22)]
    cases = []
    for moment in moments:
        utc = moment.replace(tzinfo=timezone.utc)
        local = utc.astimezone(CHICAGO)
        session = local.date() + timedelta(days=1 if local.hour >= 16 else 0)
        business = session
        while business.weekday() > 4:
            business += timedelta(days=1)
        cases.append({
            'instant': utc.strftime('%Y-%m-%dT%H:%M:%SZ'),
            'chicago': local.strftime('%Y-%m-%d %H:%M:%S'),
            'everyDay': session.isoformat(), 'weekdays': business.isoformat(),
        })
    return cases


def formats():
    cases = []
    for value, count in [('1234567.891', 2), ('-1234567.885', 2), ('0.0000232520', 6), ('999.995', 2), ('-0.004', 2), ('1000', 0), ('87500', 4), ('0.5', 0), ('-99999.5', 0)]:
        exact = Decimal(value).quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP)
        text = format(exact if exact != 0 else abs(exact), ',f').replace('-', '\u2212')
        cases.append({'value': value, 'digits': count, 'text': text})
    return cases


def main():
    made = 'python3 src/model/checked-numbers.py: fractions, decimal, datetime.isocalendar and zoneinfo; digits after the point are rounded half up.'
    numbers = {
        'made': made, 'conversions': conversions(), 'cents': cents(), 'rates': rates(), 'bars': bars(),
        'sessions': sessions(), 'formats': formats(),
    }
    Path(__file__).with_suffix('.json').write_text(json.dumps(numbers, indent=1) + '\n')


main()
