import { expect, it } from 'vitest';
import { defaultGridState, type GridState } from '../grid.ts';
import { toShownLayout, toStoredLayout } from './shown-layout.ts';

const IDS = [
  'pick',
  'underlying',
  'symbol',
  'rank',
  'settled',
  'form',
  'excess',
  'estimate',
  'estimate-form',
  'rate-7d',
];
const stored = defaultGridState(
  IDS.map((id) => ({
    id,
    hidden: ['excess', 'settled', 'estimate'].includes(id),
    ...(['pick', 'underlying', 'symbol', 'rank'].includes(id) && { pinned: 'start' as const }),
  })),
);
const usual = { rankBy: 'realised', chosen: { id: '7d' }, form: 'apr', isNarrow: false } as const;

it('has the figure that rows are ranked by beside the rank, also if it is usually hidden', () => {
  expect(toShownLayout(stored, usual).pinned.start).toEqual(['pick', 'underlying', 'symbol', 'rank', 'rate-7d']);
  const shown = toShownLayout(stored, { ...usual, rankBy: 'excess' });
  expect(shown.pinned.start.at(-1)).toBe('excess');
  expect(shown.hidden).not.toContain('excess');
});

it('pins only name, rank and figure on a phone', () => {
  expect(toShownLayout(stored, { ...usual, isNarrow: true }).pinned.start).toEqual(['symbol', 'rank', 'rate-7d']);
});

it('has rates per 8 h where the rate unit omits the same rates, as far as those are shown', () => {
  expect(toShownLayout(stored, { ...usual, form: 'interval' }).hidden).toEqual(['excess']);
  const hidden = [...stored.hidden, 'form'];
  expect(toShownLayout({ ...stored, hidden }, { ...usual, form: 'interval' }).hidden).toEqual([
    'settled',
    'excess',
    'form',
  ]);
});

it('stores what a person changes, and nothing of what showing it has changed', () => {
  const shown = toShownLayout(stored, { ...usual, rankBy: 'excess', isNarrow: true });
  const change = (part: Partial<GridState>) => toStoredLayout({ ...shown, ...part }, shown, stored);
  expect(change({ widths: { symbol: 90 } })).toEqual({ ...stored, widths: { symbol: 90 } });
  expect(change({ hidden: [...shown.hidden, 'form'] }).hidden.toSorted()).toEqual(
    ['estimate', 'excess', 'form', 'settled'].toSorted(),
  );
  const { start } = shown.pinned;
  expect(change({ pinned: { start: [...start, 'form'], end: [] } }).pinned.start.toSorted()).toEqual(
    ['form', 'pick', 'rank', 'symbol', 'underlying'].toSorted(),
  );
});
