import type { DeskProduct } from '#contract/desk.ts';
import type { ProductId } from '#contract/ids.ts';
import { compareCodes } from './compare-codes.ts';

/** A product in a list to choose from. */
export interface ProductItem {
  readonly value: string;
  readonly label: string;
  readonly remark: string;
  /** Found by these too: what it is called nowhere in the list, as its underlying. */
  readonly also: string;
}

/** The product an address names: what the directory knows of it, or only its number. */
export interface NamedProduct {
  readonly id: ProductId;
  readonly name: string;
  /** Null: the directory does not have it, or is not read yet. */
  readonly product: DeskProduct | null;
}

/** By number or symbol. Null: there is none by that symbol. A number needs no directory. */
export function findProduct(text: string, directory: readonly DeskProduct[]): NamedProduct | null {
  const wanted = text.toUpperCase();
  const product = directory.find(({ product_id, symbol }) => String(product_id) === text || symbol?.toUpperCase() === wanted) ?? null;
  if (product !== null) return toNamed(product);
  // A branded number cannot be made of a text otherwise; the venue says whether there is such a product.
  return /^[1-9]\d{0,9}$/.test(text) ? { id: Number(text) as unknown as ProductId, name: `product ${text}`, product } : null;
}

/** Where nothing is asked for: what was looked at last, or a perpetual, since it trades every day and has no end. */
export function findUsualProduct(directory: readonly DeskProduct[], last: string): NamedProduct | null {
  const again = directory.find(({ symbol }) => symbol === last);
  if (again !== undefined) return toNamed(again);
  const active = directory.filter(isActive);
  const perpetuals = active.filter(({ type }) => type === 'perpetual').toSorted(bySymbol);
  const product = perpetuals[0] ?? active[0] ?? directory[0];
  return product === undefined ? null : toNamed(product);
}

function bySymbol(a: DeskProduct, b: DeskProduct): number {
  return compareCodes(a.symbol ?? '', b.symbol ?? '');
}

function toNamed(product: DeskProduct): NamedProduct {
  return { id: product.product_id, name: product.symbol ?? `product ${String(product.product_id)}`, product };
}

/** The directory to choose from, what trades first. */
export function toProductItems(directory: readonly DeskProduct[]): readonly ProductItem[] {
  return directory
    .toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)))
    .map(({ product_id, symbol, product_name, contract_size_unit: also = '', product_status: status }) => ({
      value: String(product_id),
      label: symbol ?? `product ${String(product_id)}`,
      remark: [product_name, status === 'active' ? undefined : status].filter((text) => text !== undefined).join(', '),
      also,
    }));
}

/** All months of a series: its futures, in the order of their last days. */
export function findSeries(baseSymbol: string, directory: readonly DeskProduct[]): readonly NamedProduct[] {
  return directory
    .filter(({ base_symbol, type }) => base_symbol === baseSymbol && type === 'future')
    .toSorted((a, b) => compareCodes(a.final_settle_time ?? '', b.final_settle_time ?? ''))
    .map(toNamed);
}

/** The series that have futures, each once. */
export function listSeries(directory: readonly DeskProduct[]): readonly string[] {
  const futures = directory.filter(({ type }) => type === 'future');
  return [...new Set(futures.flatMap(({ base_symbol }) => base_symbol ?? []))].sort();
}

function isActive({ product_status: status }: DeskProduct): boolean {
  return status === undefined || status === 'active';
}
