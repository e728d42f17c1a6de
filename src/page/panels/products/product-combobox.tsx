import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toProductItems, type ProductItem } from '#model/products/product-directory.ts';
import { Combobox, type ComboboxProps } from '#page/kit/combobox.tsx';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useExchangeMinute } from '../use-exchange-time.ts';

const ProductComboboxInput = lazyOverlay(
  async () => (await import('./product-combobox-input.tsx')).ProductComboboxInput,
);

interface ProductComboboxProps extends Omit<ComboboxProps<ProductItem>, 'Input' | 'items'> {
  readonly products: readonly DeskProduct[];
  /** Returns the items to choose from, if they are not the products themselves. */
  readonly toItems?: (products: readonly DeskProduct[], now: number | null) => readonly ProductItem[];
}

/** A choice of a product, or of what it stands for, with the search that the command palette uses. */
export function ProductCombobox({ products, toItems = toProductItems, ...props }: ProductComboboxProps) {
  const now = useExchangeMinute();
  const items = useMemo(() => toItems(products, now), [toItems, products, now]);
  return <Combobox {...props} items={items} Input={ProductComboboxInput} />;
}
