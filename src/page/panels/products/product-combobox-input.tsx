import { useCallback, useMemo } from 'react';
import type { ProductItem } from '#model/products/product-directory.ts';
import { ComboboxInput, type ComboboxInputProps, type ComboboxMatches } from '#page/kit/combobox-input.tsx';
import { useProductSearch } from './create-known-search.ts';
import styles from './product-combobox.module.css';
import { useProductPrices } from './use-product-prices.ts';

export function ProductComboboxInput(props: ComboboxInputProps<ProductItem>) {
  const { items } = props;
  const byProduct = useMemo(() => new Map(items.map((item) => [item.product, item])), [items]);
  const products = useMemo(() => [...byProduct.keys()], [byProduct]);
  const productSearch = useProductSearch(products);
  const search = useCallback(
    (text: string): ComboboxMatches<ProductItem> => {
      const found = productSearch.find(text);
      const isMiss = found.length === 0;
      const shown = isMiss ? productSearch.nearest(text) : found;
      return {
        items: shown.flatMap((product) => byProduct.get(product) ?? []),
        isMiss,
        marked: isMiss ? [] : productSearch.marked(text),
      };
    },
    [productSearch, byProduct],
  );
  const priceOf = useProductPrices();
  const toEnd = ({ product }: ProductItem) => {
    const price = priceOf(product);
    return (
      price !== null && (
        <span className={styles['price']} data-stale={price.isOld} title={price.withheld ?? undefined}>
          {price.isOld && 'stale '}
          {price.text}
        </span>
      )
    );
  };
  return <ComboboxInput {...props} search={search} toEnd={toEnd} />;
}
