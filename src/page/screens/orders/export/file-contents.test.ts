import { expect, test } from 'vitest';
import { toFileContents, toPagesContents } from './file-contents.ts';

const all = {
  by: 'the exchange',
  noun: 'working order',
  held: 1_194,
  shown: 1_194,
  accounts: 36,
  asked: [],
  left: [],
} as const;

test('without a filter, the file contains all orders, and says of how many accounts', () => {
  const { describe, unshown } = toFileContents(all);
  expect(describe(false)).toBe('The file contains all 1,194 working orders of 36 accounts, with account codes.');
  expect(describe(true)).toBe(
    'The file contains all 1,194 working orders of 36 accounts, with pseudonyms in place of account codes.',
  );
  expect(unshown).toBeNull();
});

test('where the exchange filters like the screen, it contains the orders shown and no others', () => {
  const { describe, unshown } = toFileContents({
    ...all,
    held: 37,
    shown: 37,
    accounts: 1,
    asked: ['Account is NORD-111'],
  });
  expect([describe(false), unshown]).toEqual([
    'The file contains the 37 working orders shown, with account codes, and no others.',
    null,
  ]);
});

test('where the exchange cannot, it says how many orders are not shown, and why they are in it', () => {
  const { describe, unshown } = toFileContents({ ...all, shown: 37, left: ['Side is Bid', 'Any column contains 70'] });
  expect(describe(false)).toBe(
    'The file contains all 1,194 working orders of 36 accounts, with account codes, not only the 37 shown: the exchange cannot filter by “Side is Bid” and “Any column contains 70”.',
  );
  expect(unshown).toBe('1,157 orders');
});

test('where it can in part, it says which orders those are', () => {
  const { describe, unshown } = toFileContents({
    ...all,
    held: 38,
    shown: 37,
    accounts: 1,
    asked: ['Account is NORD-111'],
    left: ['Side is Bid'],
  });
  expect(describe(false)).toBe(
    'The file contains the 38 working orders of 1 account with “Account is NORD-111”, with account codes, not only the 37 shown: the exchange cannot filter by “Side is Bid”.',
  );
  expect(unshown).toBe('1 order');
});

test('a filter that leaves nothing out, and a file without orders, need no confirmation', () => {
  const passing = toFileContents({ ...all, left: ['Side is Bid'] });
  expect([passing.describe(false), passing.unshown]).toEqual([
    'The file contains all 1,194 working orders of 36 accounts, with account codes.',
    null,
  ]);
  const none = toFileContents({ ...all, held: 0, shown: 0, accounts: 0, asked: ['Product is NONE'] });
  expect([none.describe(false), none.unshown]).toEqual(['The file contains no working orders.', null]);
});

test('of the history, the file contains its pages whole', () => {
  const whole = toPagesContents({ orders: 1_500, pages: 3, left: [] });
  expect([whole.describe(false), whole.unshown]).toEqual([
    'The file contains all 1,500 orders of these 3 pages, with account codes.',
    null,
  ]);
  const filtered = toPagesContents({ orders: 500, pages: 1, left: ['Side is Bid'] });
  expect([filtered.describe(true), filtered.unshown]).toEqual([
    'The file contains all 500 orders of this page, with pseudonyms in place of account codes, not only those that match: the exchange cannot filter by “Side is Bid”.',
    'orders',
  ]);
});
