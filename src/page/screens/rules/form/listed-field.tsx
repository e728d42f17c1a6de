import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { countOf } from '#model/format/count.ts';
import { isActive } from '#model/products/is-active.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { createWatchlistStore } from '#page/panels/products/watchlist-store.ts';
import { PRODUCT_CHOICES } from './product-field.tsx';
import styles from './form.module.css';

interface ListedFieldProps {
  readonly label: string;
  /** The part of the rule’s sentence that leads to this field. */
  readonly slot: string;
  readonly choices: 'symbol' | 'perpetual';
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly mistake: string | undefined;
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
const NOUNS = { symbol: 'product', perpetual: 'perpetual' } as const;

/** Edits a list of products or perpetuals, which can be taken from a watchlist. */
export function ListedField({ label, slot, choices, values, onChange, mistake }: ListedFieldProps) {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({})).data?.value.products;
  const products = useMemo(() => directory?.filter(isActive) ?? NO_PRODUCTS, [directory]);
  const items = useMemo(() => PRODUCT_CHOICES[choices](products, null), [choices, products]);
  const listed = new Set(items.map(({ value }) => value));
  const noun = NOUNS[choices];
  const add = (more: readonly string[]): void => {
    onChange([...new Set([...values, ...more])]);
  };
  return (
    <div
      className={`${styles['field'] ?? ''} ${styles['wide'] ?? ''}`}
      role="group"
      aria-label={label}
      data-slot={slot}
    >
      <span className={styles['hint']}>{label}</span>
      <div className={styles['picker']}>
        <ProductCombobox
          label={`Add a ${noun}`}
          placeholder={`Add a ${noun}…`}
          products={products}
          toItems={PRODUCT_CHOICES[choices]}
          value={null}
          onChange={(value) => {
            add([value]);
          }}
        />
        <FromWatchlist
          noun={noun}
          codeOf={(id) => items.find(({ product }) => toNumber(product.product_id) === id)?.value}
          add={add}
        />
      </div>
      {values.length > 0 && (
        <ul className={styles['listed']} aria-label={`${label}: ${countOf(values.length, noun)}`}>
          {values.map((value) => (
            <li key={value} data-unlisted={directory !== undefined && !listed.has(value)}>
              {value}
              {directory !== undefined && !listed.has(value) && ' (not listed as active)'}
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => {
                  onChange(values.filter((one) => one !== value));
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['hint']} data-mistake={values.length > 0 && mistake !== undefined}>
        {values.length === 0
          ? `Add at least one ${noun}.`
          : (mistake ?? `The rule keeps this list, even if a watchlist that it was taken from changes.`)}
      </p>
    </div>
  );
}

interface FromWatchlistProps {
  readonly noun: string;
  /** Returns what the rule calls an active product; undefined if the rule cannot be about it. */
  readonly codeOf: (productId: number) => string | undefined;
  readonly add: (codes: readonly string[]) => void;
}

/** Adds all that a watchlist has now. */
function FromWatchlist({ noun, codeOf, add }: FromWatchlistProps) {
  const [store] = useState(() => createWatchlistStore(window));
  const lists = useSyncExternalStore(store.subscribe, store.read);
  const filled = lists.map(({ id, name, products }) => ({
    id,
    name,
    codes: products.flatMap((one) => codeOf(one) ?? []),
  }));
  if (filled.every(({ codes }) => codes.length === 0)) return null;
  return (
    <select
      aria-label="Add a watchlist"
      value=""
      onChange={({ target }) => {
        add(filled.find(({ id }) => id === target.value)?.codes ?? []);
      }}
    >
      <option value="">Add a watchlist…</option>
      {filled.map(({ id, name, codes }) => (
        <option key={id} value={id} disabled={codes.length === 0}>
          {name} ({countOf(codes.length, noun)})
        </option>
      ))}
    </select>
  );
}
