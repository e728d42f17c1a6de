import { expect, it } from 'vitest';
import type { Rule } from '#contract/desk/rules.ts';
import { type Author, createRuleRegistry } from './rule-registry.ts';

const rule = (id: string, account: string): Rule => ({
  id,
  name: 'Many orders',
  enabled: true,
  severity: 'warning',
  channels: [],
  for_seconds: 0,
  about: 'orders',
  measure: 'count',
  filter: { account_id: account },
  each: 'all',
  comparison: 'over',
  value: 1_000,
  unit: 'orders',
});

const ann: Author = {
  name: 'Ann',
  person: 'ann',
  scope: { accounts: new Set(['A']), firms: new Set(), connections: new Set() },
};
const all: Author = { name: 'Bob', person: 'bob', scope: 'all' };

function open(rules: readonly Rule[]) {
  const store = {
    rules: () => Promise.resolve(rules),
    authors: () => Promise.resolve(new Map<string, string>()),
    versions: () => Promise.resolve({ rules: 0, alerts: 0, evaluatedAgoMs: null }),
    change: () => Promise.resolve(0),
  };
  return createRuleRegistry(store, { rules, authors: new Map() }, () => 0);
}

it('an id in use by others is answered as one that nobody uses, to those who do not see all orders', async () => {
  const answersTo = async (taken: string): Promise<readonly unknown[]> => {
    const registry = open([rule(taken, 'B')]);
    const adopted = registry.adopt([rule('mine', 'A')], ann);
    const { id = '' } = adopted[0] ?? {};
    const saved = await registry.put(adopted, String, ann);
    const replaced = await registry.replace(rule('mine', 'A'), rule('mine', 'B'), '$.rule', ann).catch(String);
    return [id, saved.length, replaced, registry.adopt([rule('mine', 'A'), rule(id, 'A')], ann).map((one) => one.id)];
  };
  const free = await answersTo('other');
  expect(await answersTo('mine')).toEqual(free);
  expect(free).toEqual([
    expect.stringMatching(/^mine-[0-9a-f]{8}$/),
    1,
    expect.stringContaining('has been deleted'),
    [free[0], free[0]],
  ]);
});

it('an id stays as it is for those who see all orders, and for a rule that one sees', () => {
  const registry = open([rule('seen', 'A')]);
  expect(registry.adopt([rule('new', 'B')], all).map(({ id }) => id)).toEqual(['new']);
  expect(registry.adopt([rule('seen', 'A')], ann).map(({ id }) => id)).toEqual(['seen']);
  const long = registry.adopt([rule('x'.repeat(64), 'A')], ann);
  expect(long.map(({ id }) => id.length)).toEqual([64]);
});

it('long ids that begin alike stay apart, and stay as they are when they are given again', () => {
  const registry = open([]);
  const adopt = (ids: readonly string[]): readonly string[] =>
    registry
      .adopt(
        ids.map((id) => rule(id, 'A')),
        ann,
      )
      .map(({ id }) => id);
  const ids = adopt([55, 56, 58, 60, 64].map((length) => 'x'.repeat(length)));
  expect(new Set(ids).size).toBe(5);
  expect(Math.max(...ids.map(({ length }) => length))).toBe(64);
  expect(adopt(ids)).toEqual(ids);
});
