import { describe, expect, it } from 'vitest';
import { NO_PRIVATE_STATE } from './private-state.ts';
import { resolveLink } from './resolve-link.ts';

const shared = { filters: {}, quick: '', view: '', sorts: [], grouping: [], columns: null };
const filters = { account: { kind: 'is', texts: ['HALC-110'] } } as const;

function resolve(own: readonly string[], kept: readonly string[]) {
  const { list, link } = resolveLink({
    shared,
    own,
    kept: { ...NO_PRIVATE_STATE, filters, own: kept },
    table: null,
    optedIn: false,
  });
  return { filters: list.filters, is: link.is };
}

describe('the filter of an account that a tab keeps', () => {
  it.each([
    ['its alias', ['account:is:*a-1*'], ['account:is:*a-1*']],
    ['that it is held', ['account:held:'], ['account:held:']],
    ['that it is held, as its alias came while the page was being reloaded', ['account:held:'], ['account:is:*a-1*']],
  ])('is that of an address with %s', (_, own, kept) => {
    expect(resolve(own, kept)).toEqual({ filters, is: 'resolved' });
  });

  it.each([
    ['another alias', ['account:is:*a-2*'], ['account:is:*a-1*']],
    ['a held filter of another column', ['firm:held:'], ['account:is:*a-1*']],
    ['one filter more', ['account:held:', 'firm:held:'], ['account:is:*a-1*']],
  ])('is not that of an address with %s', (_, own, kept) => {
    expect(resolve(own, kept)).toEqual({ filters: {}, is: 'resolving' });
  });
});
