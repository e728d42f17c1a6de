"""Makes funding-numbers.json: what the funding domain's results are held against.

Run once by hand (python3 src/model/funding/funding-numbers.py); nothing of the product runs it. It shares no code with the
domain: exact fractions, Python's own calendar, and every window gone through print by print.
"""
import json
import random
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 400
DICE = random.Random(20261121)
BEGIN = datetime(2026, 6, 1, tzinfo=timezone.utc)
STEP = timedelta(hours=8)


def digits(value: Fraction, count: int) -> str:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return format(exact.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP), 'f')


def root(value: Fraction, count: int) -> str:
    exact = (Decimal(value.numerator) / Decimal(value.denominator)).sqrt()
    return format(exact.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP), 'f')


def iso(moment: datetime) -> str:
    return moment.strftime('%Y-%m-%dT%H:%M:%SZ')


def history(fraction_digits: int, count: int):
    """Some prints are the interest rate itself, some are missing."""
    rows = []
    for number in range(count):
        if DICE.random() < 0.06:
            continue
        rate = '0.0001' if DICE.random() < 0.3 else digits(Fraction(DICE.randint(-90000, 110000), 10**8) + Fraction(DICE.randint(0, 9), 10**fraction_digits), fraction_digits)
        rows.append({'start': iso(BEGIN + number * STEP), 'end': iso(BEGIN + (number + 1) * STEP), 'rate': rate, 'interest': '0.0001'})
    return rows


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def longest_run(rows) -> int:
    """Same sign, and each interval begins where the one before it ended."""
    longest = run = 0
    before = None
    for row in rows:
        joined = before is not None and before['end'] == row['start'] and sign(Fraction(before['rate'])) == sign(Fraction(row['rate']))
        run = run + 1 if joined else 1
        longest = max(longest, run)
        before = row
    return longest


def window(rows, first: int, last: int):
    """Of intervals number `first` to `last`, both included."""
    begin, end = iso(BEGIN + first * STEP), iso(BEGIN + (last + 1) * STEP)
    inside = [row for row in rows if begin < row['end'] <= end]
    rates = [Fraction(row['rate']) for row in inside]
    total = sum(rates, Fraction(0))
    mean = total / len(rates) if rates else None
    return {
        'from': begin, 'to': end, 'prints': len(rates), 'intervals': last - first + 1,
        'sum': digits(total, 20) if rates else None,
        'apr': digits(mean * 1095, 30) if rates else None,
        'deviation': root(sum(((rate - mean) ** 2 for rate in rates), Fraction(0)) / (len(rates) - 1), 30) if len(rates) > 1 else None,
        'positive': sum(rate > 0 for rate in rates),
        'baseline': sum(Fraction(row['rate']) == Fraction(row['interest']) for row in inside),
        'longestRun': longest_run(inside),
    }


def histories():
    cases = []
    for fraction_digits in (8, 18):
        rows = history(fraction_digits, 320)
        spans = [(0, 319), (230, 319), (300, 320 - 1), (317, 319), (40, 129), (7, 7)]
        cases.append({'prints': rows, 'windows': [window(rows, *span) for span in spans]})
    return cases


def rolling():
    """The mean of a window among those of its length in a past. One interval is missing, so windows across it do not count."""
    rows = [row for row in ({'start': iso(BEGIN + number * STEP), 'end': iso(BEGIN + (number + 1) * STEP),
                             'rate': '0.0001' if DICE.random() < 0.6 else digits(Fraction(DICE.randint(-9000, 11000), 10**8), 8), 'interest': '0.0001'}
                            for number in range(300)) if row['start'] != iso(BEGIN + 60 * STEP)]
    cases = []
    for length, past in ((3, 270), (21, 300), (21, 120), (90, 300), (1, 200)):
        windows = []
        for last in range(299 - past + length, 300):
            inside = [row for row in rows if iso(BEGIN + (last - length + 1) * STEP) <= row['start'] <= iso(BEGIN + last * STEP)]
            if len(inside) == length:
                windows.append(sum((Fraction(row['rate']) for row in inside), Fraction(0)) / length)
        own, mean = windows[-1], sum(windows, Fraction(0)) / len(windows)
        variance = sum(((each - mean) ** 2 for each in windows), Fraction(0)) / (len(windows) - 1)
        size = root((own - mean) ** 2 / variance, 20)
        cases.append({'length': length, 'past': past, 'windows': len(windows), 'below': sum(each < own for each in windows),
                      'equal': sum(each == own for each in windows), 'zScore': size if own >= mean else '-' + size})
    return {'prints': rows, 'cases': cases}


def spread(cases):
    long, short = cases[0]['prints'], cases[1]['prints']
    shorts = {row['end']: Fraction(row['rate']) for row in short}
    differences = [Fraction(row['rate']) - shorts[row['end']] for row in long if row['end'] in shorts]
    total = sum(differences, Fraction(0))
    return {'prints': len(differences), 'sum': digits(total, 20), 'carry': digits(-total, 20), 'carryApr': digits(-total / len(differences) * 1095, 30)}


def forms():
    cases = []
    for rate in ['0.0001', '-0.00031', '0.0000125', '0.003', '0']:
        exact = Fraction(rate)
        cases.append({'rate': rate, 'day': digits(exact * 3, 20), 'apr': digits(exact * 3 * 365, 20), 'apy': digits((1 + exact) ** (3 * 365) - 1, 30)})
    return cases


def main():
    cases = histories()
    numbers = {
        'made': 'python3 src/model/funding/funding-numbers.py: exact fractions, each window gone through print by print.',
        'forms': forms(), 'histories': cases, 'spread': spread(cases), 'rolling': rolling(),
    }
    Path(__file__).with_suffix('.json').write_text(json.dumps(numbers, indent=None, separators=(',', ':')).replace('},{', '},\n{') + '\n')


main()
