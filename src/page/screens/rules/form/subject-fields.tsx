import { useState } from 'react';
import { ChoiceField, TextField, type TextFieldProps } from '#page/kit/field.tsx';
import { EACH_NAMES, ORDER_FILTERS, ORDER_TYPES, PRODUCT_TYPES, type RuleFieldsProps } from './rule-fields.tsx';
import { ProductField } from './product-field.tsx';
import { changeField, changeFilter, filterOf, textOf } from './rule-draft.ts';
import styles from './form.module.css';

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
    <TrimmedField
      key={name}
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
    return (
      <fieldset className={styles['group']}>
        <legend>Of products</legend>
        {productField('symbol', 'Product')}
        {productField('base_symbol', 'Base symbol')}
        {typeField('type', PRODUCT_TYPES)}
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
        choices={EACH_NAMES}
        onChange={(each) => {
          change(changeField(draft, 'each', each));
        }}
      />
      {productField('symbol', 'Product')}
      {ORDER_FILTERS.map(([name, label]) => filterField(name, label))}
      {filter['product_id'] !== undefined && filterField('product_id', 'Product ID')}
      {typeField('product_type', ORDER_TYPES)}
      <div className={styles['wide']}>
        <TextField
          label="Additional condition on each order, as a CEL expression"
          slot="expression"
          isCode
          value={textOf(draft, 'expression')}
          onChange={(value) => {
            change(changeField(draft, 'expression', value === '' ? undefined : value));
          }}
          mistake={mistakeOf('expression')}
          hint={
            'Only where the fields above are not enough, for example order.quantity_requested > 100 ' +
            '&& order.side == "Bid"'
          }
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
