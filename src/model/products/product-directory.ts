import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareCodes } from '../compare-codes.ts';
import { isActive } from './is-active.ts';
import { nameInAddress } from './product-address.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { parseProductId, type ProductId } from '#contract/exchange/ids.ts';
import { dateOf } from '../time/session.ts';
import { describeTimeLeft, isSoon, toExpiry } from './expiry.ts';

/**
 * Finds the product that a name in an address stands for: an ID or a symbol; or a series or an underlying, which stand
 * for their perpetual, or else for the front month. `BTC-PERP` stands for the perpetual only. Case does not matter.
 *
 * @internal Exported for its test.
 */
export function findByName(text: string, directory: readonly DeskProduct[]): DeskProduct | null {
  const name = text.toUpperCase();
  const named = directory.find(({ product_id: id, symbol }) => String(id) === text || symbol?.toUpperCase() === name);
  return named ?? findPerpetualByName(name, directory) ?? findFrontMonth(name, directory);
}

/** Finds the perpetual that a name in an address stands for. Like `findByName`, but never another product. */
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
  const dated = futures.filter(({ final_settle_time: at }) => at !== undefined);
  const byExpiry = (dated.length > 0 ? dated : futures).toSorted((a, b) =>
    compareCodes(a.final_settle_time ?? '', b.final_settle_time ?? ''),
  );
  return byExpiry.find(isActive) ?? byExpiry.at(-1) ?? null;
}

/** Names a product. One that the product list does not describe has only its ID. */
export function nameProduct({ product_id: id, symbol }: DeskProduct): string {
  return symbol ?? `product ${String(id)}`;
}

/** A product in a combobox. */
export interface ProductItem {
  readonly value: string;
  readonly label: string;
  readonly remark: string;
  /** The search matches the names of this product. */
  readonly product: DeskProduct;
}

/** The product that an address names. */
export interface NamedProduct {
  readonly id: ProductId;
  readonly name: string;
  /** Null if the product list has not been read or does not contain the product. */
  readonly product: DeskProduct | null;
}

/** Finds a product by any of its names. An ID needs no product list: the exchange decides whether it exists. */
export function findProduct(text: string, directory: readonly DeskProduct[]): NamedProduct | null {
  const product = findByName(text, directory);
  if (product !== null) return toNamed(product);
  const id = parseProductId(text);
  return id === null ? null : { id, name: `product ${text}`, product };
}

/**
 * Chooses the product for an address without one: the last viewed, or else a perpetual, which trades every day and
 * never expires.
 */
export function findDefaultProduct(directory: readonly DeskProduct[], last: string): NamedProduct | null {
  const lastViewed = directory.find(({ symbol }) => symbol === last);
  if (lastViewed !== undefined) return toNamed(lastViewed);
  const active = directory.filter(isActive);
  const perpetuals = active.filter(({ type }) => type === 'perpetual').toSorted(bySymbol);
  const product = perpetuals[0] ?? active[0] ?? directory[0];
  return product === undefined ? null : toNamed(product);
}

function bySymbol(a: DeskProduct, b: DeskProduct): number {
  return compareCodes(a.symbol ?? '', b.symbol ?? '');
}

function toNamed(product: DeskProduct): NamedProduct {
  return { id: product.product_id, name: nameProduct(product), product };
}

/** Returns the name of a product for an address. */
export function toAddressName({ id, product }: NamedProduct): string {
  return nameInAddress({ product_id: id, ...product });
}

/** Lists products for a combobox. `now` is by the exchange's clock; null: unknown. */
export function toProductItems(directory: readonly DeskProduct[], now: number | null): readonly ProductItem[] {
  return directory.map((product) => ({
    value: nameInAddress(product),
    label: nameProduct(product),
    remark: describeProduct(product, now),
    product,
  }));
}

/** Lists the series that have futures for a combobox. Search finds a series by the names of its first future. */
export function toSeriesItems(directory: readonly DeskProduct[]): readonly ProductItem[] {
  return listSeries(directory).flatMap((series) => {
    const [first] = findSeries(series, directory);
    return first === undefined || first.product === null
      ? []
      : [{ value: series, label: series, remark: first.product.contract_size_unit ?? '', product: first.product }];
  });
}

/** Lists the perpetuals for a combobox, by base symbol. */
export function toPerpetualItems(directory: readonly DeskProduct[]): readonly ProductItem[] {
  const perpetuals = directory.filter(({ type, base_symbol: symbol }) => type === 'perpetual' && symbol !== undefined);
  return perpetuals.map((product) => ({
    value: product.base_symbol ?? '',
    label: product.base_symbol ?? '',
    remark: product.product_name ?? '',
    product,
  }));
}

function describeProduct(product: DeskProduct, now: number | null): string {
  const { product_name: name, product_status: status } = product;
  const expiry = isActive(product) ? toExpiry(product, now) : null;
  return [
    name,
    status === 'active' ? undefined : status,
    isSoon(expiry) ? `expires ${describeTimeLeft(expiry.msLeft)}` : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(', ');
}

/** Lists the futures of a series, by expiry. */
export function findSeries(baseSymbol: string, directory: readonly DeskProduct[]): readonly NamedProduct[] {
  return directory
    .filter(({ base_symbol, type }) => base_symbol === baseSymbol && type === 'future')
    .toSorted((a, b) => compareCodes(a.final_settle_time ?? '', b.final_settle_time ?? ''))
    .map(toNamed);
}

/** Lists the series that have futures. */
export function listSeries(directory: readonly DeskProduct[]): readonly string[] {
  const futures = directory.filter(({ type }) => type === 'future');
  return [...new Set(futures.flatMap(({ base_symbol }) => base_symbol ?? []))].sort();
}

/** Returns the last session of an expired product, or null. */
export function expiredOn(product: Pick<DeskProduct, 'product_status' | 'final_settle_time'> | null): Day | null {
  if (product?.product_status !== 'expired' || product.final_settle_time === undefined) return null;
  return dateOf(product.final_settle_time);
}
