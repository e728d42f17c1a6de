import { expect, it } from 'vitest';
import { splitAtMarks } from './search-matches.tsx';

it.each([
  ['Perpetual Bitcoin', ['bit'], 'Perpetual [Bit]coin'],
  ['Perpetual Bitcoin', ['coin', 'perp'], '[Perp]etual Bitcoin'],
  ['PBTCUCZ50', ['btc'], 'P[BTC]UCZ50'],
  ['BUSZ26-C120000', ['busz26', 'bus', 'c1'], '[BUSZ26]-[C1]20000'],
  ['a (b)', ['(b'], 'a [(b])'],
  ['PBTCUCZ50', [], 'PBTCUCZ50'],
  ['PBTCUCZ50', ['eth'], 'PBTCUCZ50'],
])('%s, marked %j', (text, marked, expected) => {
  const parts = splitAtMarks(text, marked).map(({ part, isMarked }) => (isMarked ? `[${part}]` : part));
  expect(parts.join('')).toBe(expected);
});
