import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk.ts';
import { SCREENS } from '../screens.ts';
import { toPaletteGroups } from './palette-items.ts';

const product = { product_id: 5614, symbol: 'PBTCUCZ50', product_name: 'Perpetual Bitcoin', contract_size_unit: 'BTC', type: 'perpetual', product_status: 'active' } as unknown as DeskProduct;
const learnt = { product_id: 7 } as unknown as DeskProduct;

it('screens can be gone to before any product is known', () => {
  const groups = toPaletteGroups([]);
  expect(groups.map(({ name }) => name)).toEqual(['Screens']);
  expect(groups[0]?.items.map(({ to }) => to)).toEqual(SCREENS.map(({ home }) => home));
});

it('a product is found by symbol, name and underlying, and leads to its price', () => {
  expect(toPaletteGroups([product])[1]?.items).toEqual([
    { id: 'product 5614', label: 'PBTCUCZ50', remark: 'Perpetual Bitcoin', also: 'Perpetual Bitcoin BTC', to: '/price/5614' },
  ]);
});

it('what no longer trades stands behind what does, and says so', () => {
  const gone = { ...product, product_id: 3, symbol: 'PBTCUCZ24', product_status: 'expired' } as unknown as DeskProduct;
  expect(toPaletteGroups([gone, product])[1]?.items.map(({ label, remark }) => [label, remark])).toEqual([
    ['PBTCUCZ50', 'Perpetual Bitcoin'],
    ['PBTCUCZ24', 'Perpetual Bitcoin, expired'],
  ]);
});

it('a product of which only the number is known goes by it', () => {
  expect(toPaletteGroups([learnt])[1]?.items[0]).toMatchObject({ label: 'product 7', remark: '', to: '/price/7' });
});

it('what the screen offers stands behind what can be gone to anywhere, each kind by itself', () => {
  const run = (): void => undefined;
  const groups = toPaletteGroups([product], [
    { group: 'Columns', label: 'Price', remark: 'sort by it', run },
    { group: 'Accounts', label: 'Q1', remark: '', run },
    { group: 'Columns', label: 'Side', remark: 'sort by it', run },
  ]);
  expect(groups.map(({ name }) => name)).toEqual(['Screens', 'Products', 'Columns', 'Accounts']);
  expect(groups[2]?.items).toEqual([
    { id: 'Columns Price', label: 'Price', remark: 'sort by it', to: run },
    { id: 'Columns Side', label: 'Side', remark: 'sort by it', to: run },
  ]);
});
