import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk.ts';
import { SCREENS } from '../screens.ts';
import { toPaletteGroups } from './palette-items.ts';

const product = { product_id: 5614, symbol: 'PBTCUCZ50', product_name: 'Perpetual Bitcoin', contract_size_unit: 'BTC', type: 'perpetual', product_status: 'active' } as unknown as DeskProduct;
const unnamed = { product_id: 7 } as unknown as DeskProduct;

it('lists screens before any product is known', () => {
  const groups = toPaletteGroups([]);
  expect(groups.map(({ name }) => name)).toEqual(['Screens']);
  expect(groups[0]?.items.map(({ to }) => to)).toEqual(SCREENS.map(({ home }) => home));
});

it('finds a product by symbol, name and underlying, and links to its price', () => {
  expect(toPaletteGroups([product])[1]?.items).toEqual([
    { id: 'product 5614', label: 'PBTCUCZ50', remark: 'Perpetual Bitcoin', keywords: 'Perpetual Bitcoin BTC', to: '/price/5614' },
  ]);
});

it('lists expired products last and marks them', () => {
  const expired = { ...product, product_id: 3, symbol: 'PBTCUCZ24', product_status: 'expired' } as unknown as DeskProduct;
  expect(toPaletteGroups([expired, product])[1]?.items.map(({ label, remark }) => [label, remark])).toEqual([
    ['PBTCUCZ50', 'Perpetual Bitcoin'],
    ['PBTCUCZ24', 'Perpetual Bitcoin, expired'],
  ]);
});

it('names a product by its id where nothing else is known', () => {
  expect(toPaletteGroups([unnamed])[1]?.items[0]).toMatchObject({ label: 'product 7', remark: '', to: '/price/7' });
});

it('lists the commands of the screen last, by group', () => {
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
