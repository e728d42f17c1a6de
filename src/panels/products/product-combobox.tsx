import { useMemo } from 'react';
import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { toProductItems, type ProductItem } from '#domain/markets/product-directory.ts';
import { Combobox, type ComboboxProps } from '#ui/combobox/combobox.tsx';
import { lazyOverlay } from '#ui/lazy.tsx';
import { useExchangeDay } from '../use-exchange-day.ts';

const ProductComboboxInput = lazyOverlay(async () => (await import('./product-combobox-input.tsx')).ProductComboboxInput);

interface ProductComboboxProps extends Omit<ComboboxProps<ProductItem>, 'Input' | 'items'> {
  readonly products: readonly DeskProduct[];
  /** What there is to choose, if not the products themselves. */
  readonly toItems?: (products: readonly DeskProduct[], today: Day | null) => readonly ProductItem[];
}

/** Chooses a product, or what one stands for, by the search that the command palette uses. */
export function ProductCombobox({ products, toItems = toProductItems, ...props }: ProductComboboxProps) {
  const today = useExchangeDay();
  const items = useMemo(() => toItems(products, today), [toItems, products, today]);
  return <Combobox {...props} items={items} Input={ProductComboboxInput} />;
}
