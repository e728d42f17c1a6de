import type { DeskProduct } from '#contract/desk.ts';
import type { ProductId } from '#contract/ids.ts';
import type { ComboboxItem } from '#ui/combobox.tsx';

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

/** Where nothing is asked for: a perpetual, since it trades every day and has no end. */
export function findUsualProduct(directory: readonly DeskProduct[]): NamedProduct | null {
  const active = directory.filter(({ product_status: status }) => status === undefined || status === 'active');
  const product = active.find(({ type }) => type === 'perpetual') ?? active[0] ?? directory[0];
  return product === undefined ? null : toNamed(product);
}

function toNamed(product: DeskProduct): NamedProduct {
  return { id: product.product_id, name: product.symbol ?? `product ${String(product.product_id)}`, product };
}

/** The directory to choose from, what trades first. */
export function toProductItems(directory: readonly DeskProduct[]): readonly ComboboxItem[] {
  const isActive = ({ product_status: status }: DeskProduct): boolean => status === undefined || status === 'active';
  return directory
    .toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)))
    .map(({ product_id, symbol, product_name, product_status: status }) => ({
      value: String(product_id),
      label: symbol ?? `product ${String(product_id)}`,
      remark: [product_name, status === 'active' ? undefined : status].filter((text) => text !== undefined).join(', '),
    }));
}
