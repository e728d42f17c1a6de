import { expect, test } from 'vitest';
import { SHARED_LIMITS } from '#contract/desk/saved.ts';
import type { Scope } from '#server/core/viewer.ts';
import { createViewScope, type CodesOf } from './view-scope.ts';

const OWN = 20;
const ALL = 10_000;
const codes = Array.from({ length: ALL }, (_, index) => ({
  kind: 'account' as const,
  code: `ACC${String(100_000 + index)}`,
}));
const own = codes.slice(0, OWN);
const scope: Scope = { accounts: new Set(own.map(({ code }) => code)), firms: new Set(), connections: new Set() };
const codesOf: CodesOf = (asked) => (asked === 'all' ? codes : own);

test('all shared views are looked through with little more work than one', () => {
  const views = Array.from({ length: SHARED_LIMITS.all }, (_, index) => ({
    name: `Late ${'x'.repeat(index % 7)}`,
    query: 'f=product%3Ais%3APBTCUCZ50%7EPETHUIZ50&sort=-time&cols=time%7Eproduct%7Eprice',
  }));
  const timeOf = (count: number): number => {
    const begun = performance.now();
    const { hasTexts } = createViewScope(scope, codesOf);
    expect(views.slice(0, count).every(hasTexts)).toBe(true);
    return performance.now() - begun;
  };
  timeOf(SHARED_LIMITS.all);
  const [one, all] = [
    Math.min(timeOf(1), timeOf(1), timeOf(1)),
    Math.min(timeOf(SHARED_LIMITS.all), timeOf(SHARED_LIMITS.all)),
  ];
  expect(all / one).toBeLessThan(SHARED_LIMITS.all / 4);
});

test.each([
  ['an own code', 'acc100001', true],
  ['a part of an own code, which is one of others too', '10001', true],
  ['a code of others', 'ACC105555', false],
  ['a part of one', '05555', false],
  ['a code of others within a word', 'of-acc105555-today', false],
  ['a word that is no code', 'overnight', true],
  ['a number like that of an order', '98765432109876', false],
])('%s in a name or a search decides who sees a view of somebody who sees all', (_, text, isSeen) => {
  const { hasTexts } = createViewScope(scope, codesOf);
  expect(hasTexts({ name: `For ${text}`, query: '' })).toBe(isSeen);
  expect(hasTexts({ name: 'All', query: `q=${text}` })).toBe(isSeen);
});

test('a name around a code that its sharer and a reader both see hides nothing', () => {
  const firm: CodesOf = () => [{ kind: 'firm', code: 'MERI' }];
  const { findNamed, hasTexts } = createViewScope(scope, firm);
  const view = { name: 'Is MERI-103 late', query: '' };
  expect(findNamed(view)).toEqual(['meri']);
  expect(hasTexts({ ...view, named: findNamed(view) })).toBe(true);
});
