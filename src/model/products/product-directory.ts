import type { Day } from '#contract/exchange/day.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { parseProductId, type ProductId } from '#contract/exchange/ids.ts';
import { compareCodes } from '../compare-codes.ts';
import { dateOf } from '../time/session.ts';
import { findByName } from './find-product.ts';
import { nameProduct } from './name-product.ts';
import { isActive } from './is-active.ts';
import { describeTimeLeft, isSoon, toExpiry } from './expiry.ts';

/** A product in a combobox. */
export interface ProductItem {
  readonly value: string;
  readonly label: string;
  readonly remark: string;
  /** What it is found by. */
  readonly product: DeskProduct;
}

/** The product of an address. */
export interface NamedProduct {
  readonly id: ProductId;
  readonly name: string;
  /** Null: not in the directory, or the directory has not been read yet. */
  readonly product: DeskProduct | null;
}

/** Finds a product by any of its names. An id needs no directory: the exchange decides whether it exists. */
export function findProduct(text: string, directory: readonly DeskProduct[]): NamedProduct | null {
  const product = findByName(text, directory);
  if (product !== null) return toNamed(product);
  const id = parseProductId(text);
  return id === null ? null : { id, name: `product ${text}`, product };
}

/** The product of an address without one: the last viewed, or else a perpetual, since it trades every day and never expires. */
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

/** What an address calls a product. */
export function toAddressName({ id, product }: NamedProduct): string {
  return product?.symbol ?? String(id);
}

/** The directory as combobox items. `now` is the exchange's; null: unknown. */
export function toProductItems(directory: readonly DeskProduct[], now: number | null): readonly ProductItem[] {
  return directory.map((product) => ({
    value: String(product.product_id),
    label: nameProduct(product),
    remark: describeProduct(product, now),
    product,
  }));
}

/** The series with futures as combobox items, found by what their first future is found by. */
export function toSeriesItems(directory: readonly DeskProduct[]): readonly ProductItem[] {
  return listSeries(directory).flatMap((series) => {
    const [first] = findSeries(series, directory);
    return first === undefined || first.product === null
      ? []
      : [{ value: series, label: series, remark: first.product.contract_size_unit ?? '', product: first.product }];
  });
}

/** The perpetuals as combobox items, by base symbol. */
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

/** The futures of a series, by expiry. */
export function findSeries(baseSymbol: string, directory: readonly DeskProduct[]): readonly NamedProduct[] {
  return directory
    .filter(({ base_symbol, type }) => base_symbol === baseSymbol && type === 'future')
    .toSorted((a, b) => compareCodes(a.final_settle_time ?? '', b.final_settle_time ?? ''))
    .map(toNamed);
}

/** The series with futures. */
export function listSeries(directory: readonly DeskProduct[]): readonly string[] {
  const futures = directory.filter(({ type }) => type === 'future');
  return [...new Set(futures.flatMap(({ base_symbol }) => base_symbol ?? []))].sort();
}

/** The last session of an expired product, or null. */
export function expiredOn(product: Pick<DeskProduct, 'product_status' | 'final_settle_time'> | null): Day | null {
  if (product?.product_status !== 'expired' || product.final_settle_time === undefined) return null;
  return dateOf(product.final_settle_time);
}
