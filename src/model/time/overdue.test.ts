import { expect, it } from 'vitest';
import type { Day } from '#contract/exchange/day.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { describeAllOverdue, describeOverdue } from './overdue.ts';

const rate = { newest: '2026-11-22T00:00:00Z' as Instant, due: '2026-11-25T16:00:00Z' as Instant };
const settlement = { newest: '2026-11-09T22:00:00Z' as Instant, due: '2026-11-24' as Day };
const RATE = 'newest settled rate is from 22 Nov 2026 00:00 UTC; that of 25 Nov 2026 16:00 UTC is missing.';

it('an overdue row is described by its time and that of the one that was due', () => {
  expect(describeOverdue('settled rate', rate)).toBe(`The ${RATE}`);
  expect(describeOverdue('settlement', settlement)).toBe(
    'The newest settlement is from 9 Nov 2026; that of 24 Nov 2026 is missing.',
  );
});

it('of several overdue rows the oldest is described, with the number of the others', () => {
  const later = { ...rate, newest: '2026-11-24T00:00:00Z' as Instant };
  const [current, btc, eth] = [
    { name: 'SOLUS', overdue: null },
    { name: 'BTCUC', overdue: rate },
    { name: 'ETHUI', overdue: later },
  ];
  const describe = (...all: Parameters<typeof describeAllOverdue>[2]) =>
    describeAllOverdue('settled rate', 'perpetuals', all);
  expect(describe(current)).toBeNull();
  expect(describe()).toBeNull();
  expect(describe(btc)).toBe(`BTCUC: the ${RATE}`);
  expect(describe(current, eth, btc)).toBe(`BTCUC and 1 more: the ${RATE}`);
  expect(describe(eth, btc)).toBe(`All 2 perpetuals: the ${RATE}`);
});
