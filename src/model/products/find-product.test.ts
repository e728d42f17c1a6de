import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { findByName, findPerpetualByName } from './product-directory.ts';

function product(id: number, symbol: string, base: string, type: string, fields: object = {}): DeskProduct {
  return {
    product_id: id,
    symbol,
    base_symbol: base,
    type,
    contract_size_unit: symbol.includes('ETH') || symbol.includes('ETU') ? 'ETH' : 'BTC',
    product_status: 'active',
    ...fields,
  } as unknown as DeskProduct;
}

const directory = [
  product(4, 'BUSX24', 'BUS', 'future', { product_status: 'expired', final_settle_time: '2024-11-29T22:00:00Z' }),
  product(3, 'BUSH27', 'BUS', 'future', { final_settle_time: '2027-03-26T21:00:00Z' }),
  product(2, 'BUSZ26', 'BUS', 'future', { final_settle_time: '2026-12-25T22:00:00Z' }),
  product(5, 'ETUDX24', 'ETUD', 'future', { product_status: 'expired', final_settle_time: '2024-11-29T22:00:00Z' }),
  product(1, 'PBTCUCZ50', 'BTCUC', 'perpetual'),
];

it.each([
  ['1', 'PBTCUCZ50'],
  ['pbtcucz50', 'PBTCUCZ50'],
  ['BTCUC', 'PBTCUCZ50'],
  ['btc', 'PBTCUCZ50'],
  ['btc-perp', 'PBTCUCZ50'],
  ['BTCUC-perpetual', 'PBTCUCZ50'],
  ['bus', 'BUSZ26'],
  ['busx24', 'BUSX24'],
  ['ETH', 'ETUDX24'],
])('%s means %s', (text, symbol) => {
  expect(findByName(text, directory)?.symbol).toBe(symbol);
});

it.each([['BUS-PERP'], ['ETH-PERP'], ['nothing'], ['']])('%s means no product', (text) => {
  expect(findByName(text, directory)).toBeNull();
});

it('of a perpetual, id, symbol, series and underlying are names, and those of a future are not', () => {
  for (const name of ['1', 'PBTCUCZ50', 'btcuc', 'BTC'])
    expect(findPerpetualByName(name, directory)?.symbol).toBe('PBTCUCZ50');
  for (const name of ['2', 'BUS', 'BUSZ26']) expect(findPerpetualByName(name, directory)).toBeNull();
});
