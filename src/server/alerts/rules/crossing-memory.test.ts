import { expect, it } from 'vitest';
import type { MarketRule } from '#contract/desk/rules.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { createCrossingMemory } from './crossing-memory.ts';

const rule: MarketRule = {
  ...{ id: 'level', name: 'Level', enabled: true, severity: 'info', channels: [], for_seconds: 0, about: 'market' },
  ...{ measure: 'price', filter: { symbols: ['BUSZ26'] }, comparison: 'crosses', value: 110_000, unit: 'USD' },
};
const at = (price: string, time: number) => ({ price: toDecimal(price), at: time });

it('knows after a restart on which side a price was, and what still counts, but of the same level only', async () => {
  const store = await openTestStore();
  const before = createCrossingMemory(store, 'venue key');
  await before.load();
  expect(before.of(rule).find('BUSZ26', at('109870.5', 1_000), 1_000)).toBeNull();
  await before.store([rule]);

  const after = createCrossingMemory(store, 'venue key');
  await after.load();
  const crossing = after.of(rule).find('BUSZ26', at('110120', 61_000), 61_000);
  expect([crossing?.before.price.toFixed(), crossing?.before.at, crossing?.after.at]).toEqual([
    '109870.5',
    1_000,
    61_000,
  ]);
  await after.store([rule]);

  const again = createCrossingMemory(store, 'venue key');
  await again.load();
  expect(again.of(rule).find('BUSZ26', at('110130', 91_000), 91_000)?.before.at).toBe(1_000);
  const raised = { ...rule, value: 110_125 };
  expect(again.of(raised).find('BUSZ26', at('110130', 91_000), 91_000)).toBeNull();
});

it('forgets the sides of rules that are gone, and those of another exchange are not its own', async () => {
  const store = await openTestStore();
  const memory = createCrossingMemory(store, 'venue key');
  memory.of(rule).find('BUSZ26', at('109870', 1_000), 1_000);
  await memory.store([rule]);
  for (const [scope, kept] of [
    ['venue other', []],
    ['venue key', [rule]],
    ['venue key', []],
  ] as const) {
    const other = createCrossingMemory(store, scope);
    await other.load();
    const crossing = other.of(rule).find('BUSZ26', at('110120', 2_000), 2_000);
    expect(crossing !== null).toBe(kept.length > 0);
    await other.store([]);
  }
});
