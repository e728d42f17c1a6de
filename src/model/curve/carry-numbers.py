"""Makes carry-numbers.json: what carry and calendar spreads are held against.

Run once by hand (python3 src/model/curve/carry-numbers.py); nothing of the product runs it. It shares no code with the
domain: exact fractions, Python's own calendar, and every rate gone through one by one.
"""
import json
import random
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 400
DICE = random.Random(20261130)
EIGHT_HOURS = timedelta(hours=8)
YEAR = 365 * 24 * 60
DIGITS = 18


def digits(value, count: int = DIGITS):
    if value is None:
        return None
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    rounded = exact.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP)
    return format(abs(rounded) if rounded == 0 else rounded, 'f')


def iso(moment: datetime) -> str:
    return moment.strftime('%Y-%m-%dT%H:%M:%SZ')


def history(last: datetime, count: int, middle: Fraction):
    """Rates and prices of `count` intervals up to `last`; every eleventh interval is missing."""
    rows = []
    for number in range(count):
        end = last - (count - 1 - number) * EIGHT_HOURS
        if number % 11 == 5:
            continue
        rate = middle + Fraction(DICE.randint(-4000, 4000), 10**8)
        index = Fraction(DICE.randint(1_900_000, 2_300_000), 100)
        mark = index * (1 + rate + Fraction(DICE.randint(-3000, 3000), 10**8))
        rows.append({
            'start': iso(end - EIGHT_HOURS), 'end': iso(end), 'rate': digits(rate, 8),
            'mark': digits(mark, 4), 'index': digits(index, 2),
        })
    return rows


def carry(case):
    future = Fraction(case['future_ticks']) * Fraction(case['increment'])
    perpetual = Fraction(case['perpetual_ticks']) * Fraction(case['perpetual_increment'])
    size, notional = Fraction(case['contract_size']), Fraction(case['notional'])
    settled, expires = (datetime.fromisoformat(case[name].replace('Z', '+00:00')) for name in ('settled_at', 'expires_at'))
    minutes = Fraction(round((expires - settled).total_seconds()), 60)
    last = max(datetime.fromisoformat(row['end'].replace('Z', '+00:00')) for row in case['prints'])
    inside = [
        row for row in case['prints']
        if datetime.fromisoformat(row['end'].replace('Z', '+00:00')) > last - timedelta(days=case['days'])
    ]
    rates = [Fraction(row['rate']) for row in inside]
    paid_in_window = sum(rates, Fraction(0))
    realised = paid_in_window / len(rates) * 3 * 365
    predicted = Fraction(case['estimate']) * 3 * 365
    premiums = [Fraction(row['mark']) / Fraction(row['index']) - 1 for row in inside]
    basis = future - perpetual

    def in_unit(unit):
        """Of cash and carry: long perpetual, short month."""
        part = minutes / YEAR
        if unit == 'year':
            return basis / perpetual / part, realised, predicted, [one / part for one in premiums]
        if unit == 'contract':
            return basis * size, realised * part * perpetual * size, predicted * part * perpetual * size, [one * perpetual * size for one in premiums]
        return basis / perpetual * notional, realised * part * notional, predicted * part * notional, [one * notional for one in premiums]

    results = []
    for unit in ('year', 'contract', 'notional'):
        kept, paid, expected, ends = in_unit(unit)
        window = paid_in_window * {'year': 1, 'contract': perpetual * size, 'notional': notional}[unit]
        for side, sign in (('cash', 1), ('reverse', -1)):
            total = sign * (kept - paid)
            results.append({
                'unit': unit, 'side': side,
                'basis': digits(sign * kept), 'inWindow': digits(-sign * window), 'realisedFunding': digits(-sign * paid), 'predictedFunding': digits(-sign * expected),
                'realised': digits(total), 'predicted': digits(sign * (kept - expected)),
                'least': digits(min(total + sign * end for end in ends)), 'most': digits(max(total + sign * end for end in ends)),
            })
    earns = 'reverse' if basis / perpetual / (minutes / YEAR) < realised else 'cash'
    return {'minutes': int(minutes), 'rates': len(rates), 'earning': earns, 'results': results}


def spread(name, ticks, last, increment, legs):
    made = sum((Fraction(weight) * Fraction(leg) * Fraction(step) for weight, leg, step, _ in legs), Fraction(0))
    traded = sum((Fraction(weight) * Fraction(newest) * Fraction(step) for weight, _, step, newest in legs), Fraction(0))
    gap = lambda price: Fraction(price) * Fraction(increment) - made
    last_gap = Fraction(last) * Fraction(increment) - traded
    return {
        'name': name, 'settlement_ticks': ticks, 'last_ticks': last, 'increment': increment,
        'legs': [{'weight': weight, 'ticks': leg, 'increment': step, 'last_ticks': newest} for weight, leg, step, newest in legs],
        'legsUsd': digits(made), 'settlementGapUsd': digits(gap(ticks)), 'settlementGapTicks': digits(gap(ticks) / Fraction(increment)),
        'legsLastUsd': digits(traded), 'lastGapUsd': digits(last_gap), 'lastGapTicks': digits(last_gap / Fraction(increment)), 'isApart': abs(gap(ticks) / Fraction(increment)) > 1,
    }


BASES = [
    {'name': 'contango, longs pay less than the basis', 'future_ticks': '22270', 'increment': '5', 'perpetual_ticks': '21750', 'perpetual_increment': '5', 'contract_size': '1',
     'settled_at': '2026-08-14T21:00:00Z', 'expires_at': '2026-12-25T22:00:00Z', 'days': 30, 'estimate': '0.0000417', 'notional': '250000', 'middle': Fraction(3, 10**5)},
    {'name': 'contango, longs pay more than the basis', 'future_ticks': '21820', 'increment': '5', 'perpetual_ticks': '21750', 'perpetual_increment': '5', 'contract_size': '0.01',
     'settled_at': '2026-08-14T21:00:00Z', 'expires_at': '2026-08-28T21:00:00Z', 'days': 7, 'estimate': '0.00031', 'notional': '10000', 'middle': Fraction(25, 10**5)},
    {'name': 'backwardation, shorts pay', 'future_ticks': '5391.5', 'increment': '0.0001', 'perpetual_ticks': '5512.25', 'perpetual_increment': '0.0001', 'contract_size': '500',
     'settled_at': '2026-08-14T21:00:00Z', 'expires_at': '2027-03-26T21:00:00Z', 'days': 90, 'estimate': '-0.00012', 'notional': '99999.99', 'middle': Fraction(-8, 10**5)},
]
carries = []
for base in BASES:
    case = {key: value for key, value in base.items() if key != 'middle'}
    case['prints'] = history(datetime(2026, 8, 17, 8, tzinfo=timezone.utc), base['days'] * 3 + 20, base['middle'])
    carries.append({**case, **carry(case)})

spreads = [
    spread('agrees', '-346', '-344', '5', [('1', '21925', '5', '21941'), ('-1', '22270', '5', '22285')]),
    spread('a tick apart is not apart', '-345', '-345', '5', [('1', '21925', '5', '21990'), ('-1', '22271', '5', '22339')]),
    spread('parts', '-340', '-280', '5', [('1', '21925', '5', '21941'), ('-1', '22270', '5', '22285')]),
    spread('weights and tick sizes of its own', '1203.5', '1190', '0.05', [('2', '3010.5', '0.2', '3012'), ('-3', '11403', '0.03', '11398')]),
]
Path(__file__).with_suffix('.json').write_text(json.dumps({
    'made': "python3 src/model/curve/carry-numbers.py: exact fractions, each rate gone through one by one.",
    'carries': carries, 'spreads': spreads,
}, separators=(',', ':')).replace('},{', '},\n{') + '\n')
