import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { isActive } from '#model/products/is-active.ts';
import { toPerpetualItems, toProductItems, type ProductItem } from '#model/products/product-directory.ts';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import styles from './form.module.css';

interface ProductFieldProps {
  readonly label: string;
  /** The part of the rule’s sentence that leads to this field. */
  readonly slot?: string;
  /** Which choices are offered: symbols of products, or base symbols of all products or of perpetuals. */
  readonly choices: keyof typeof PRODUCT_CHOICES;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Label of the empty choice; without it, a choice is required. */
  readonly none?: string;
  readonly mistake: string | undefined;
}

const NO_PRODUCTS: readonly DeskProduct[] = [];

/** Offers the listed products. A product that a stored rule names is shown even if it is not listed. */
export function ProductField({ label, slot, choices, value, onChange, none, mistake }: ProductFieldProps) {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({})).data?.value.products;
  const products = useMemo(() => directory?.filter(isActive) ?? NO_PRODUCTS, [directory]);
  const isListed = PRODUCT_CHOICES[choices](products, null).some((item) => item.value === value);
  const isUnlisted = value !== '' && directory !== undefined && !isListed;
  const placeholder = value === '' ? (none ?? 'Choose…') : value;
  const note = mistake ?? (isUnlisted ? 'Not listed as active.' : undefined);
  return (
    <div className={styles['field']} role="group" aria-label={label} data-slot={slot}>
      <span className={styles['hint']}>{label}</span>
      <div className={styles['picker']}>
        <ProductCombobox
          label={isListed ? label : `${label}: ${placeholder}`}
          placeholder={placeholder}
          products={products}
          toItems={PRODUCT_CHOICES[choices]}
          value={value === '' ? null : value}
          onChange={onChange}
        />
        {none !== undefined && value !== '' && (
          <button
            type="button"
            aria-label={`${label}: ${none}`}
            onClick={() => {
              onChange('');
            }}
          >
            Clear
          </button>
        )}
      </div>
      {note !== undefined && (
        <p className={styles['hint']} data-mistake="true">
          {note}
        </p>
      )}
    </div>
  );
}

export const PRODUCT_CHOICES = {
  symbol: (products: readonly DeskProduct[], now: number | null): readonly ProductItem[] =>
    toProductItems(products, now).flatMap((item) =>
      item.product.symbol === undefined ? [] : [{ ...item, value: item.product.symbol }],
    ),
  base: (products: readonly DeskProduct[]): readonly ProductItem[] => {
    const bases = Map.groupBy(products, ({ base_symbol: base = '' }) => base);
    return [...bases]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([base, own]) => {
        // The search finds a base symbol by the names of its perpetual, if it has one.
        const [product] = own.toSorted((a, b) => Number(b.type === 'perpetual') - Number(a.type === 'perpetual'));
        return base === '' || product === undefined
          ? []
          : [{ value: base, label: base, remark: product.product_name ?? '', product }];
      });
  },
  perpetual: toPerpetualItems,
};
