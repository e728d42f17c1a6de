"""Makes prediction-numbers.json: what the errors of predicted rates are held against.

Run once by hand (python3 src/model/funding/prediction-numbers.py); nothing of the product runs it. It shares no code
with the model: exact fractions, and for each settled rate a loop over every stored row.
"""
import json
import random
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 400
DICE = random.Random(20261130)
BEGIN = datetime(2026, 6, 1, tzinfo=timezone.utc)
STEP = timedelta(hours=8)
COUNT = 24


def digits(value: Fraction, count: int) -> str:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return format(exact.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP), 'f')


def iso(moment: datetime) -> str:
    return moment.strftime('%Y-%m-%dT%H:%M:%SZ')


prints, reads = [], []
for number in range(COUNT):
    end = BEGIN + (number + 1) * STEP
    rate = '0' if number == 5 else digits(Fraction(DICE.randint(-9000, 11000), 10**8), 8)
    if number != 9:
        prints.append({'start': iso(end - STEP), 'end': iso(end), 'rate': rate})
    for hundredth in range(100):
        # Read on the plan, or often while someone looks; some are missing.
        if DICE.random() < (0.7 if number % 4 == 0 else 0.16):
            share = str(Decimal(hundredth) / 100 + Decimal(DICE.randint(0, 99)) / 10000)
            estimate = digits(Fraction(rate) + Fraction(DICE.randint(-4000, 4000), 10**8), 8)
            reads.append({'end': iso(end), 'share': share, 'estimate': estimate})

figures = []
for point in (25, 50, 75, 95):
    errors, right = [], 0
    for settled in prints:
        latest = None
        for read in reads:
            share = Fraction(read['share']) * 100
            if read['end'] == settled['end'] and point - 5 <= share <= point and (latest is None or share > latest[0]):
                latest = (share, Fraction(read['estimate']))
        if latest is None:
            continue
        rate = Fraction(settled['rate'])
        errors.append(latest[1] - rate)
        right += (latest[1] > 0) == (rate > 0) and (latest[1] < 0) == (rate < 0)
    count = len(errors)
    figures.append({
        'point': point,
        'settlements': len(prints),
        'predicted': count,
        'bias': digits(sum(errors, Fraction(0)) / count, 40),
        'meanAbsolute': digits(sum((abs(error) for error in errors), Fraction(0)) / count, 40),
        'rightSign': digits(Fraction(right, count), 40),
        'biasApr': digits(sum(errors, Fraction(0)) / count * 1095, 40),
    })

assert any(each['predicted'] < each['settlements'] for each in figures)
target = Path(__file__).with_suffix('.json')
target.write_text(json.dumps({'prints': prints, 'reads': reads, 'figures': figures}, indent=1) + '\n')
