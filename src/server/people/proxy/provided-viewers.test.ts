import { describe, expect, it } from 'vitest';
import type { Viewer } from '#server/core/viewer.ts';
import { NO_ACCOUNTS, toEntitlement, type Entitlement } from '../accounts/entitlement.ts';
import { createProvidedViewers } from './provided-viewers.ts';

const GROUPS: Readonly<Record<string, Entitlement>> = {
  visitors: toEntitlement(['markets'], NO_ACCOUNTS),
  nord: toEntitlement(['orders'], { ...NO_ACCOUNTS, accounts: ['NORD-105'] }),
  all: toEntitlement(['orders'], { ...NO_ACCOUNTS, all: true }),
};

/** Requests of people with one group each. */
function open(until: number | null = null) {
  const firsts: string[] = [];
  const viewers = createProvidedViewers({
    key: 'key',
    entitlementOf: ([group = '']) => GROUPS[group] ?? toEntitlement([], NO_ACCOUNTS),
    onSeen: ({ id }, _, __, isFirst) => {
      if (isFirst) firsts.push(id);
    },
    isRecorded: () => true,
    now: () => 0,
  });
  const request = (id: string, group: string): Viewer => viewers.viewerOf({ id, groups: [group], until }, '192.0.2.1');
  return { request, firsts };
}

describe('who is named by the headers of a proxy', () => {
  it.each([
    ['a role', 'nord', 'visitors'],
    ['a part of the scope', 'all', 'nord'],
  ])('loses %s with the next request that names less, in open streams as well', (_, more, less) => {
    const { request, firsts } = open();
    const [seeing, other] = [request('ann', more), request('bob', more)];
    const next = request('ann', less);
    expect([seeing.ended.aborted, next.ended.aborted, other.ended.aborted]).toEqual([true, false, false]);
    expect(firsts).toEqual(['ann', 'bob']);
  });

  it('loses it also where the request that names less is like an earlier one', () => {
    const { request } = open();
    const earlier = request('ann', 'visitors');
    const seeing = request('ann', 'nord');
    expect(request('ann', 'visitors')).toBe(earlier);
    expect(seeing.ended.aborted).toBe(true);
  });

  it('keeps streams that see less than what a request names', () => {
    const { request } = open();
    const seeing = request('ann', 'visitors');
    request('ann', 'all');
    expect(seeing.ended.aborted).toBe(false);
  });
});

it('who is used stays, however many others come', () => {
  const { request, firsts } = open();
  const [seeing, idle] = [request('ann', 'all'), request('bob', 'all')];
  for (let index = 0; index < 9_999; index += 1) {
    request(`person ${String(index)}`, 'visitors');
    if (index === 9_000) request('ann', 'all');
  }
  expect([seeing.ended.aborted, idle.ended.aborted, firsts.length]).toEqual([false, true, 10_001]);
});

it('who is named by a token keeps what it grants until it expires', () => {
  const { request } = open(60_000);
  const seeing = request('ann', 'all');
  request('ann', 'visitors');
  expect(seeing.ended.aborted).toBe(false);
});
