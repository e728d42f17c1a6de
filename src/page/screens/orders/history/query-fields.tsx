import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import type { AliasKind } from '#contract/desk/aliases.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { findProduct } from '#model/products/product-directory.ts';
import { filterColumn } from '#page/kit/grid/grid-props.ts';
import type { GridFilter } from '#model/tables/grid.ts';
import { DateField } from '#page/kit/date-field.tsx';
import { LazyProductProposals } from '#page/panels/products/lazy-product-proposals.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { SuggestInput, type SuggestInputProps } from '#page/kit/suggest-input.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import { OWNER_NOUNS, useOwnerCodes } from '#page/panels/use-owner-codes.ts';
import { FoldedFilters, TIME_HINT } from '../shared/list-tools.tsx';
import type { ListControl } from '../list-state/use-list-state.ts';
import styles from '../shared/history.module.css';
import {
  describeBadTime,
  NARROWER_TYPES,
  type QUERY_COLUMNS,
  QUERY_PARAMS,
  QUERY_TITLES,
  REPORTED_TYPES,
  type TimeName,
  toTypeChoice,
  toTypeFilter,
} from '#model/tables/orders/history-query.ts';

/** Filters by owner, by the id of their column. */
const OWNERS: readonly (readonly [id: AliasKind & keyof typeof QUERY_COLUMNS, label: string])[] = [
  ['firm', 'Clearing firm'],
  ['account', 'Account'],
  ['connection', 'Connection'],
];

const TIMES: readonly (readonly [name: TimeName, placeholder: string, hint: string])[] = [
  [
    'day',
    'YYYY-MM-DD',
    'A day of the exchange, which decides where it begins and ends: usually from 16:00 to 16:00 in ' +
      'Chicago, which is 22:00 UTC (21:00 in summer), named by the day on which it ends. Replaces From and ' +
      'To.',
  ],
  ['begin_time', 'YYYY-MM-DD', TIME_HINT],
  ['end_time', 'now', `${TIME_HINT} A day is included to its end.`],
];

/** Edits the filters that the exchange applies. */
export function QueryFields({ list: { state, set } }: { readonly list: ListControl }) {
  const put = (id: string, text: string): void => {
    set(filterColumn(state, id, text === '' ? null : { kind: 'is', texts: [text] }));
  };
  const putType = (filter: GridFilter | null): void => {
    set(filterColumn(state, 'type', filter));
  };
  return (
    <FoldedFilters title="Exchange filters">
      <Fields filters={state.filters} put={put} putType={putType} />
    </FoldedFilters>
  );
}

interface FieldsProps {
  readonly filters: ListControl['state']['filters'];
  readonly put: (id: string, text: string) => void;
  readonly putType: (filter: GridFilter | null) => void;
}

function Fields({ filters, put, putType }: FieldsProps) {
  return (
    <>
      <span className={styles['scope']} aria-hidden="true">
        Filtered by the exchange
      </span>
      <ProductField
        value={toText(filters['product'])}
        set={(text) => {
          put('product', text);
        }}
      />
      <OwnerFields filters={filters} put={put} />
      <ProductIdField />
      <TypeField filter={filters['type']} put={putType} />
      {TIMES.map(([name, placeholder, hint]) => (
        <TimeField key={name} name={name} label={QUERY_TITLES[name]} placeholder={placeholder} hint={hint} />
      ))}
    </>
  );
}

export function OwnerFields({ filters, put }: Pick<FieldsProps, 'filters' | 'put'>) {
  return OWNERS.map(([kind, label]) => (
    <OwnerField
      key={kind}
      kind={kind}
      label={label}
      value={toText(filters[kind])}
      set={(text) => {
        put(kind, text);
      }}
    />
  ));
}

/** Suggests the codes of orders that Perpdesk has read. The exchange may know others. */
function OwnerField({ kind, ...field }: FieldProps & { readonly kind: AliasKind }) {
  const [isOpened, setOpened] = useState(false);
  const codes = useOwnerCodes(kind, isOpened);
  return (
    <Field
      {...field}
      suggested={{ suggestions: codes, noun: OWNER_NOUNS[kind] }}
      onFocus={() => {
        setOpened(true);
      }}
    />
  );
}

export function toText(filter: GridFilter | undefined): string {
  return filter?.kind === 'is' && filter.texts.length === 1 ? (filter.texts[0] ?? '') : '';
}

interface TypeFieldProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

/** Filters by product type. The exchange reports perpetuals as Future, so narrower types are filtered on the page. */
function TypeField({ filter, put }: TypeFieldProps) {
  return (
    <label className={styles['field']}>
      Product type
      <select
        value={toTypeChoice(filter)}
        onChange={({ target }) => {
          put(toTypeFilter(target.value));
        }}
      >
        <option value="">Any</option>
        <optgroup label="Filtered by the exchange">
          {REPORTED_TYPES.map(([word, label]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </optgroup>
        <optgroup label="Exchange: Future; the rest: loaded orders only">
          {NARROWER_TYPES.map(([word, label]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

interface ProductFieldProps {
  readonly value: string;
  readonly set: (symbol: string) => void;
}

const NO_PRODUCTS: readonly DeskProduct[] = [];

/**
 * Filters by product. The exchange matches whole symbols only, so other texts lead to proposals before anything is
 * requested.
 */
export function ProductField({ value, set }: ProductFieldProps) {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({})).data?.value.products ?? NO_PRODUCTS;
  const [missed, miss, forget] = useDraft<string>(value);
  const choose = (symbol: string): void => {
    forget();
    set(symbol);
  };
  const apply = (text: string): void => {
    const symbol = findSymbol(text, products);
    if (symbol === null) miss(text);
    else choose(symbol);
  };
  return (
    <>
      <Field label="Product" value={missed ?? value} set={apply} />
      {missed !== null && <MissedProduct text={missed} products={products} choose={choose} />}
    </>
  );
}

/**
 * Returns the symbol for a text, or null if it is neither a symbol nor an id. If no symbols are known, any text may be
 * one.
 */
function findSymbol(text: string, products: readonly DeskProduct[]): string | null {
  const found = products.find(
    ({ product_id: id, symbol }) => symbol?.toUpperCase() === text.toUpperCase() || String(id) === text,
  );
  return found?.symbol ?? (text === '' || products.every(({ symbol }) => symbol === undefined) ? text : null);
}

interface MissedProductProps {
  readonly text: string;
  readonly products: readonly DeskProduct[];
  readonly choose: (symbol: string) => void;
}

function MissedProduct({ text, products, choose }: MissedProductProps) {
  useAnnounced(`No product “${text}”.`);
  const toChoice = ({ symbol = '' }: DeskProduct): ReactNode => (
    <button
      type="button"
      onClick={() => {
        choose(symbol);
      }}
    >
      {symbol}
    </button>
  );
  return (
    <div className={styles['missed']} role="group" aria-label={`No product “${text}”`}>
      No product “{text}”. <LazyProductProposals text={text} products={products} toChoice={toChoice} />
      <button
        type="button"
        onClick={() => {
          choose(text);
        }}
      >
        Filter by “{text}” anyway
      </button>
    </div>
  );
}

/** Filters by product id; a known product name is replaced by its id. */
function ProductIdField() {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.products({}));
  const [value, set] = useUrlState(QUERY_PARAMS.product_id);
  const toId = (text: string): string => String(findProduct(text, data?.value.products ?? [])?.id ?? text);
  return (
    <Field
      label={QUERY_TITLES.product_id}
      value={value}
      set={(text) => {
        set(toId(text));
      }}
    />
  );
}

interface TimeFieldProps {
  readonly name: TimeName;
  readonly label: string;
  readonly placeholder: string;
  readonly hint: string;
}

export function TimeField({ name, label, placeholder, hint }: TimeFieldProps) {
  const [value, set] = useUrlState(QUERY_PARAMS[name]);
  const [draft, edit, drop] = useDraft<string>(value);
  const problemId = useId();
  const text = draft ?? value;
  const problem = describeBadTime(name, text);
  // Each change sends a request, so it applies on Enter or when the field loses focus. A text that is not a time stays
  // in the field and sends none.
  const apply = (): void => {
    if (problem !== null) return;
    if (text.trim() !== value) set(text.trim());
    drop();
  };
  return (
    <span className={styles['field']}>
      <DateField
        label={label}
        isLabelShown
        value={text}
        placeholder={placeholder}
        title={hint}
        isInvalid={problem !== null}
        describedBy={problem === null ? undefined : problemId}
        onChange={edit}
        onPick={set}
        onBlur={apply}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply();
          if (key === 'Escape') drop();
        }}
      />
      {problem !== null && (
        <span id={problemId} className={styles['invalid']}>
          {problem}
        </span>
      )}
    </span>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (text: string) => void;
}

interface SuggestedFieldProps extends FieldProps {
  readonly suggested?: Pick<SuggestInputProps, 'suggestions' | 'noun'>;
  readonly onFocus?: () => void;
}

/** A text field that applies on Enter or when it loses focus, because each change sends a request. */
function Field({ label, value, set, suggested, onFocus }: SuggestedFieldProps) {
  const [draft, edit, drop] = useDraft<string>(value);
  const text = draft ?? value;
  const id = useId();
  const apply = (next: string): void => {
    if (next.trim() !== value) set(next.trim());
    drop();
  };
  const common = {
    id,
    value: text,
    placeholder: 'Any',
    onFocus,
    onBlur: () => {
      apply(text);
    },
    onKeyDown: ({ key, nativeEvent }: KeyboardEvent) => {
      // During composition, these keys belong to the input method.
      if (nativeEvent.isComposing) return;
      if (key === 'Enter') apply(text);
      if (key === 'Escape') drop();
    },
  };
  return (
    <span className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {suggested === undefined ? (
        <input
          {...common}
          type="text"
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            edit(target.value);
          }}
        />
      ) : (
        <SuggestInput {...common} {...suggested} onChange={edit} onPick={apply} />
      )}
    </span>
  );
}
