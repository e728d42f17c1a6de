import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk.ts';
import { SCREENS } from '../screens.ts';
import { toPaletteGroups } from './palette-items.ts';

const product = { product_id: 5614, symbol: 'PBTCUCZ50', product_name: 'Perpetual Bitcoin', type: 'perpetual' } as unknown as DeskProduct;
const learnt = { product_id: 7 } as unknown as DeskProduct;

it('screens can be gone to before any product is known', () => {
  const groups = toPaletteGroups([]);
  expect(groups.map(({ name }) => name)).toEqual(['Screens']);
  expect(groups[0]?.items.map(({ to }) => to)).toEqual(SCREENS.map(({ home }) => home));
});

it('a product is found by symbol and by name, and leads to its price', () => {
  expect(toPaletteGroups([product])[1]?.items).toEqual([
    { id: 'product 5614', label: 'PBTCUCZ50 Perpetual Bitcoin', remark: 'perpetual', to: '/price/5614' },
  ]);
});

it('a product of which only the number is known goes by it', () => {
  expect(toPaletteGroups([learnt])[1]?.items[0]).toMatchObject({ label: '7', remark: '', to: '/price/7' });
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
