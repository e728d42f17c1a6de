import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toProductItems, type ProductItem } from '#model/products/product-directory.ts';
import { Combobox, type ComboboxProps } from '#page/kit/combobox/combobox.tsx';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useExchangeMinute } from '../use-exchange-minute.ts';

const ProductComboboxInput = lazyOverlay(
  async () => (await import('./product-combobox-input.tsx')).ProductComboboxInput,
);

interface ProductComboboxProps extends Omit<ComboboxProps<ProductItem>, 'Input' | 'items'> {
  readonly products: readonly DeskProduct[];
  /** What there is to choose, if not the products themselves. */
  readonly toItems?: (products: readonly DeskProduct[], now: number | null) => readonly ProductItem[];
}

/** Chooses a product, or what one stands for, by the search that the command palette uses. */
export function ProductCombobox({ products, toItems = toProductItems, ...props }: ProductComboboxProps) {
  const now = useExchangeMinute();
  const items = useMemo(() => toItems(products, now), [toItems, products, now]);
  return <Combobox {...props} items={items} Input={ProductComboboxInput} />;
}
