import { useState } from 'react';
import { ChoiceField, TextField, type TextFieldProps } from '#page/kit/field.tsx';
import { ExpressionField } from './expression-field.tsx';
import { KindField, LimitFields } from './limit-fields.tsx';
import { EACH_NAMES, ORDER_FILTERS, ORDER_TYPES, PRODUCT_TYPES } from './rule-fields.tsx';
import { ListedField } from './listed-field.tsx';
import { OwnerField } from './owner-field.tsx';
import { ProductField } from './product-field.tsx';
import {
  changeEach,
  changeField,
  changeFilter,
  filterOf,
  listedProductsOf,
  type RuleFieldsProps,
  textOf,
} from './rule-draft.ts';
import styles from './form.module.css';

const PRODUCT_CHOICE_NAMES = [
  ['filter', 'each that matches'],
  ['list', 'each of a list'],
] as const;

/** Edits which orders or products the rule is about. */
export function SubjectFields({ draft, change, mistakeOf }: RuleFieldsProps) {
  const filter = filterOf(draft);
  const productField = (name: 'symbol' | 'base_symbol', label: string) => (
    <ProductField
      key={name}
      label={label}
      slot={name === 'symbol' ? 'filter' : `filter.${name}`}
      choices={name === 'symbol' ? 'symbol' : 'base'}
      none="any"
      value={filter[name] ?? ''}
      onChange={(value) => {
        change(changeFilter(draft, name, value));
      }}
      mistake={mistakeOf(`filter.${name}`)}
    />
  );
  const filterField = (name: string, label: string) => (
    <OwnerField
      key={name}
      name={name}
      label={label}
      slot={`filter.${name}`}
      value={filter[name] ?? ''}
      onChange={(value) => {
        change(changeFilter(draft, name, value));
      }}
      mistake={mistakeOf(`filter.${name}`)}
    />
  );
  const typeField = (name: string, choices: readonly (readonly [string, string])[]) => (
    <ChoiceField
      label="Type"
      value={filter[name] ?? ''}
      choices={choices}
      onChange={(value) => {
        change(changeFilter(draft, name, value));
      }}
      mistake={mistakeOf(`filter.${name}`)}
    />
  );
  if (draft.about === 'market') {
    const listed = listedProductsOf(draft);
    return (
      <fieldset className={styles['group']}>
        <legend>Of products</legend>
        <ChoiceField
          label="Evaluated for"
          value={listed === undefined ? 'filter' : 'list'}
          choices={PRODUCT_CHOICE_NAMES}
          onChange={(choice) => {
            const chosen = filter['symbol'] === undefined ? [] : [filter['symbol']];
            change(changeField(draft, 'filter', choice === 'list' ? { symbols: chosen } : {}));
          }}
        />
        {listed === undefined ? (
          <>
            {productField('symbol', 'Product')}
            {productField('base_symbol', 'Base symbol')}
            {typeField('type', PRODUCT_TYPES)}
          </>
        ) : (
          <ListedField
            label="Products"
            slot="filter"
            choices="symbol"
            values={listed}
            onChange={(symbols) => {
              change(changeField(draft, 'filter', { symbols }));
            }}
            mistake={mistakeOf('filter.symbols')}
          />
        )}
      </fieldset>
    );
  }
  if (draft.about !== 'orders' && draft.about !== 'activity') return null;
  return (
    <fieldset className={styles['group']}>
      <legend>Of orders</legend>
      <ChoiceField
        label="Evaluated for"
        slot="each"
        value={textOf(draft, 'each')}
        choices={EACH_NAMES.filter(([each]) => draft.about === 'orders' || each !== 'order')}
        onChange={(each) => {
          change(changeEach(draft, each));
        }}
        mistake={mistakeOf('each')}
      />
      {draft['each'] === 'order' && (
        <div className={styles['checks']}>
          <label>
            <input
              type="checkbox"
              data-slot="new_only"
              checked={draft['new_only'] === true}
              onChange={({ target }) => {
                change(changeField(draft, 'new_only', target.checked));
              }}
            />
            New ones only
          </label>
          <p className={styles['hint']}>Orders that already meet the condition when you save raise no alert.</p>
        </div>
      )}
      {productField('symbol', 'Product')}
      {ORDER_FILTERS.map(([name, label]) => filterField(name, label))}
      {filter['product_id'] !== undefined && (
        <TrimmedField
          label="Product ID"
          slot="filter.product_id"
          value={filter['product_id']}
          onChange={(value) => {
            change(changeFilter(draft, 'product_id', value));
          }}
          mistake={mistakeOf('filter.product_id')}
        />
      )}
      {filter['product_type'] !== undefined && typeField('product_type', ORDER_TYPES)}
      <KindField draft={draft} change={change} mistakeOf={mistakeOf} />
      {draft.about === 'orders' && <LimitFields draft={draft} change={change} mistakeOf={mistakeOf} />}
      <div className={styles['wide']}>
        <ExpressionField
          value={textOf(draft, 'expression')}
          onChange={(value) => {
            change(changeField(draft, 'expression', value === '' ? undefined : value));
          }}
          mistake={mistakeOf('expression')}
        />
      </div>
    </fieldset>
  );
}

/** Keeps the text as typed, but reports its value without surrounding spaces. */
function TrimmedField({ value, onChange, ...field }: TextFieldProps) {
  const [typed, setTyped] = useState(value);
  return (
    <TextField
      {...field}
      value={typed.trim() === value ? typed : value}
      onChange={(next) => {
        setTyped(next);
        onChange(next.trim());
      }}
    />
  );
}
