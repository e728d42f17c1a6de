import { expect, test } from 'vitest';
import type { GridState } from '../grid.ts';
import { divideFilters } from './order-evidence.ts';

type Filters = GridState['filters'];

const is = (...texts: readonly string[]) => ({ kind: 'is', texts }) as const;
const divide = (filters: Filters, quick = '') => divideFilters({ filters, quick });
const NOTHING = { filters: {}, quick: '' };

test('one account, clearing firm, connection, product and product type are what the exchange filters by', () => {
  const filters = {
    account: is('NORD-111'),
    firm: is('NORD'),
    connection: is('00AA'),
    product: is('BUSZ26'),
    type: is('Option'),
  };
  expect(divide(filters)).toEqual({
    query: {
      symbol: 'BUSZ26',
      product_type: 'Option',
      clearing_member_code: 'NORD',
      account_id: 'NORD-111',
      connection_id: '00AA',
    },
    asked: filters,
    left: NOTHING,
  });
  expect(divide({})).toEqual({ query: {}, asked: {}, left: NOTHING });
});

test.each<readonly [string, Filters, string]>([
  ['several accounts', { account: is('NORD-111', 'NORD-112') }, ''],
  ['a part of a code', { account: { kind: 'has', text: 'NORD' } }, ''],
  ['the beginning of a code', { firm: { kind: 'starts', text: 'NO' } }, ''],
  ['a side', { side: is('Bid') }, ''],
  ['a distance', { distance: { kind: 'between', from: 20, to: null } }, ''],
  ['words in any column', {}, 'nord'],
  ['a code that the exchange would reject', { connection: is('not hexadecimal') }, ''],
  ['no code', { account: is('') }, ''],
])('%s is left to the page', (_, filters, quick) => {
  expect(divide(filters, quick)).toEqual({ query: {}, asked: {}, left: { filters, quick } });
});

test('what the exchange can filter by is left out of the file, also beside filters that it cannot', () => {
  expect(divide({ account: is('NORD-111'), side: is('Bid') }, ' 70 ')).toEqual({
    query: { account_id: 'NORD-111' },
    asked: { account: is('NORD-111') },
    left: { filters: { side: is('Bid') }, quick: '70' },
  });
});

test('perpetuals are futures for the exchange, so the page filters them further', () => {
  expect(divide({ type: is('Perpetual') })).toEqual({
    query: { product_type: 'Future' },
    asked: {},
    left: { filters: { type: is('Perpetual') }, quick: '' },
  });
  expect(divide({ type: is('Future', 'Perpetual') })).toEqual({
    query: { product_type: 'Future' },
    asked: { type: is('Future', 'Perpetual') },
    left: NOTHING,
  });
});
