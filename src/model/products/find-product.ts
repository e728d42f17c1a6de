import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareCodes } from '../compare-codes.ts';
import { isActive } from './is-active.ts';

/**
 * The product that a name in an address means: an id or a symbol, or else a series or an underlying, which mean their
 * perpetual, or without one the front month. `BTC-PERP` means the perpetual alone. In any case of letters.
 */
export function findByName(text: string, directory: readonly DeskProduct[]): DeskProduct | null {
  const name = text.toUpperCase();
  const named = directory.find(({ product_id: id, symbol }) => String(id) === text || symbol?.toUpperCase() === name);
  return named ?? findPerpetualByName(name, directory) ?? findFrontMonth(name, directory);
}

/** The perpetual that a name in an address means; as above, but no other product. */
export function findPerpetualByName(text: string, directory: readonly DeskProduct[]): DeskProduct | null {
  const name = text.toUpperCase().replace(PERPETUAL_SUFFIX, '');
  const perpetuals = directory
    .filter(({ type }) => type === 'perpetual')
    .toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)));
  const names: readonly ((product: DeskProduct) => string | undefined)[] = [
    ({ product_id: id }) => String(id),
    ({ symbol }) => symbol,
    ({ base_symbol: base }) => base,
    ({ contract_size_unit: unit }) => unit,
  ];
  for (const toName of names) {
    const found = perpetuals.find((product) => toName(product)?.toUpperCase() === name);
    if (found !== undefined) return found;
  }
  return null;
}

const PERPETUAL_SUFFIX = /-(?:PERP|PERPETUAL|SWAP)$/;

function findFrontMonth(name: string, directory: readonly DeskProduct[]): DeskProduct | null {
  const futures = directory.filter(
    ({ type, base_symbol: base, contract_size_unit: unit }) =>
      type === 'future' && [base, unit].some((each) => each?.toUpperCase() === name),
  );
  const byExpiry = futures.toSorted((a, b) => compareCodes(a.final_settle_time ?? '', b.final_settle_time ?? ''));
  return byExpiry.find(isActive) ?? byExpiry.at(-1) ?? null;
}
