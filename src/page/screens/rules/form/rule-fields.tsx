import { type About, findMeasure, type Measure, MEASURES, SEVERITIES } from '#contract/desk/rule-measures.ts';
import { useState } from 'react';
import { SPAN_UNITS, unitOfSpan } from '#model/rules/rule-condition.ts';
import { ChoiceField, Field, type FieldProps } from '#page/kit/field.tsx';
import type { ChannelsToNotify } from './use-channels-to-notify.ts';
import { PerpetualFields } from './perpetual-fields.tsx';
import { changeComparison, changeField, changeMeasure, isOfOne, type RuleFieldsProps, textOf } from './rule-draft.ts';
import styles from './form.module.css';

const ABOUT_NAMES: Readonly<Record<About, string>> = {
  orders: 'Working orders',
  activity: 'Order activity',
  market: 'Products',
  funding: 'Funding',
  desk: 'Perpdesk and the exchange',
};

/** All measures, grouped by what they are about. */
const MEASURE_GROUPS = (Object.keys(MEASURES) as About[]).map((about) => ({
  about,
  measures: Object.entries<{ readonly name: string }>(MEASURES[about]).map(([measure, { name }]) => ({
    measure,
    name,
  })),
}));

const COMPARISON_NAMES: Readonly<Record<string, string>> = {
  over: 'over',
  under: 'under',
  beyond: 'more than ±',
  crosses: 'crossing, up or down',
};

/** The interval of a rate is that of its perpetual, usually 8 h. */
const RATE_UNIT_NAMES: Readonly<Record<string, string>> = {
  'percent': '% per interval',
  'percent per 8 h': '% per 8 h',
  'percent APR': '% APR, simple',
};

export const EACH_NAMES = [
  ['all', 'all orders together'],
  ['account', 'each account'],
  ['product', 'each product'],
  ['firm', 'each clearing firm'],
  ['connection', 'each connection'],
  ['order', 'each order'],
] as const;

const DATA_NAMES = [
  ['working-orders', 'working orders'],
  ['product-data', 'trading data'],
  ['funding', 'funding rates'],
] as const;

export const ORDER_FILTERS = [
  ['account_id', 'Account'],
  ['clearing_member_code', 'Clearing firm'],
  ['connection_id', 'Connection'],
] as const;

export const ORDER_TYPES = [
  ['', 'any'],
  ['Future', 'Future'],
  ['Spread', 'Spread'],
  ['Option', 'Option'],
] as const;

export const PRODUCT_TYPES = [
  ['', 'any'],
  ['future', 'future'],
  ['perpetual', 'perpetual'],
  ['spread', 'spread'],
  ['option', 'option'],
] as const;

interface NumberFieldProps extends FieldProps {
  /** Null while the content of the field is not a number. */
  readonly value: number | null;
  readonly unit: string;
  readonly onChange: (value: number | null) => void;
}

export function NumberField({ value, unit, onChange, ...field }: NumberFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <>
          <NumberInput {...control} value={value} onChange={onChange} />
          <span>{unit}</span>
        </>
      )}
    </Field>
  );
}

/** Edits a span of time in the unit that suits its value, by default minutes. The typed text stays as typed. */
export function SpanField({ value, onChange, ...field }: Omit<NumberFieldProps, 'unit'>) {
  const [typed, setTyped] = useState(() => toTyped(value, unitOfSpan(value ?? MINUTE).seconds));
  const { count, per } = typed.value === value ? typed : toTyped(value, typed.per);
  const put = (next: number | null, unit: number): void => {
    const seconds = next === null ? null : Math.round(next * unit);
    setTyped({ value: seconds, count: next, per: unit });
    onChange(seconds);
  };
  return (
    <Field {...field}>
      {(control) => (
        <>
          <NumberInput
            {...control}
            value={count}
            onChange={(next) => {
              put(next, per);
            }}
          />
          <select
            aria-label={`${field.label}: unit`}
            value={per}
            onChange={({ target }) => {
              put(count, Number(target.value));
            }}
          >
            {SPAN_UNITS.map(({ seconds, name }) => (
              <option key={name} value={seconds}>
                {name}s
              </option>
            ))}
          </select>
        </>
      )}
    </Field>
  );
}

const MINUTE = 60;

interface TypedSpan {
  /** The resulting value, in whole seconds. */
  readonly value: number | null;
  readonly count: number | null;
  /** Seconds per unit. */
  readonly per: number;
}

/** Shows the value in the unit, unless it is not a whole number of that unit. */
function toTyped(value: number | null, unit: number): TypedSpan {
  if (value === null) return { value, count: null, per: unit };
  const per = value % unit === 0 ? unit : unitOfSpan(value).seconds;
  return { value, count: value / per, per };
}

interface NumberInputProps {
  readonly id: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

function NumberInput({ value, onChange, ...control }: NumberInputProps) {
  return (
    <input
      {...control}
      type="number"
      step="any"
      value={value ?? ''}
      onChange={({ target }) => {
        onChange(Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber);
      }}
    />
  );
}

/** Edits what is measured, and the limit. */
export function ConditionFields({ draft, change, mistakeOf }: RuleFieldsProps) {
  const { hasWindow = false } = findMeasure(draft.about, draft.measure) ?? {};
  const put = (field: string) => (value: unknown) => {
    change(changeField(draft, field, value));
  };
  return (
    <fieldset className={styles['group']}>
      <legend>When</legend>
      <MeasureField draft={draft} change={change} mistakeOf={mistakeOf} />
      {draft['data'] !== undefined && (
        <ChoiceField
          label="Data"
          slot="data"
          value={textOf(draft, 'data')}
          choices={DATA_NAMES}
          onChange={put('data')}
          mistake={mistakeOf('data')}
        />
      )}
      {draft.about === 'funding' && draft.measure !== 'time_left' && (
        <PerpetualFields draft={draft} change={change} mistakeOf={mistakeOf} />
      )}
      <ComparisonFields draft={draft} change={change} mistakeOf={mistakeOf} />
      {hasWindow && (
        <SpanField
          label="Within"
          slot="window_seconds"
          value={toNumber(draft['window_seconds'])}
          onChange={put('window_seconds')}
          mistake={mistakeOf('window_seconds')}
        />
      )}
      {draft['comparison'] !== 'crosses' && (
        <SpanField
          label="For at least"
          slot="for_seconds"
          value={toNumber(draft['for_seconds'])}
          onChange={put('for_seconds')}
          mistake={mistakeOf('for_seconds')}
          hint="With 0, the alert fires at once."
        />
      )}
    </fieldset>
  );
}

/** Edits what the measure is compared with. */
function ComparisonFields({ draft, change, mistakeOf }: RuleFieldsProps) {
  const {
    unit = null,
    otherUnits = [],
    comparisons = [],
  } = findMeasure(draft.about, draft.measure) ?? ({} as Partial<Measure>);
  if (unit === null || isOfOne(draft, draft.about, draft.measure)) return null;
  const put = (field: string) => (value: unknown) => {
    change(changeField(draft, field, value));
  };
  return (
    <>
      <ChoiceField
        label="Is"
        slot="comparison"
        value={textOf(draft, 'comparison')}
        choices={comparisons.map((one) => [one, COMPARISON_NAMES[one] ?? one])}
        onChange={(comparison) => {
          change(changeComparison(draft, comparison));
        }}
        mistake={mistakeOf('comparison')}
      />
      <ValueField unit={unit} value={draft['value']} onChange={put('value')} mistake={mistakeOf('value')} />
      {otherUnits.length > 0 && (
        <ChoiceField
          label="Unit"
          value={textOf(draft, 'unit')}
          choices={[unit, ...otherUnits].map((one) => [one, RATE_UNIT_NAMES[one] ?? one])}
          onChange={put('unit')}
          mistake={mistakeOf('unit')}
        />
      )}
    </>
  );
}

/** By measure, what its figure is. */
const MEASURE_HINTS: Readonly<Record<string, string>> = {
  price: 'That of the last trade, in USD, read every 30 s.',
  premium: 'At the newest settlement, as a share of the index.',
};

function MeasureField({ draft, change, mistakeOf }: RuleFieldsProps) {
  return (
    <Field label="Measure" slot="measure" mistake={mistakeOf('measure')} hint={MEASURE_HINTS[draft.measure]}>
      {(control) => (
        <select
          {...control}
          value={`${draft.about} ${draft.measure}`}
          onChange={({ target }) => {
            const [about = '', measure = ''] = target.value.split(' ');
            change(changeMeasure(draft, about as About, measure));
          }}
        >
          {MEASURE_GROUPS.map(({ about, measures }) => (
            <optgroup key={about} label={ABOUT_NAMES[about]}>
              {measures.map(({ measure, name }) => (
                <option key={measure} value={`${about} ${measure}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ValueFieldProps {
  readonly unit: string;
  readonly value: unknown;
  readonly onChange: (value: number | null) => void;
  readonly mistake: string | undefined;
}

function ValueField({ unit, value, ...rest }: ValueFieldProps) {
  const common = { ...rest, label: 'Value', slot: 'value', value: toNumber(value) };
  return unit === 'seconds' ? (
    <SpanField {...common} />
  ) : (
    <NumberField {...common} unit={unit === 'percent' ? '%' : unit} />
  );
}

/** Edits the consequences: the severity, and the channels to notify. */
export function ConsequenceFields({
  draft,
  change,
  mistakeOf,
  calls: { names: known, mayChoose },
}: RuleFieldsProps & { readonly calls: ChannelsToNotify }) {
  const channels = (draft['channels'] ?? []) as readonly string[];
  const names = [...new Set([...known, ...channels])];
  const toggle = (name: string, isOn: boolean): void => {
    change(changeField(draft, 'channels', isOn ? [...channels, name] : channels.filter((one) => one !== name)));
  };
  return (
    <fieldset className={styles['group']}>
      <legend>Then</legend>
      <ChoiceField
        label="Severity"
        slot="severity"
        value={textOf(draft, 'severity')}
        choices={SEVERITIES.map((one) => [one, one])}
        onChange={(severity) => {
          change(changeField(draft, 'severity', severity));
        }}
      />
      <div className={styles['field']} role="group" aria-label="Channels to notify">
        <span className={styles['hint']}>Notify</span>
        <div className={styles['checks']}>
          {names.map((name, index) => (
            <label key={name}>
              <input
                type="checkbox"
                data-slot={index === 0 ? 'channels' : undefined}
                checked={channels.includes(name)}
                disabled={!mayChoose && !channels.includes(name)}
                onChange={({ target }) => {
                  toggle(name, target.checked);
                }}
              />
              {name}
              {mayChoose && !known.includes(name) && ' (not configured)'}
            </label>
          ))}
          {mayChoose && names.length === 0 && <span>No channel is configured. The alert is shown in Perpdesk.</span>}
          {!mayChoose && (
            <span>
              {names.length === 0
                ? 'The alert is shown in Perpdesk. '
                : 'You can only save this rule without channels. '}
              Only people whose scope is all orders can have channels notified.
            </span>
          )}
        </div>
        {mistakeOf('channels') !== undefined && (
          <p className={styles['hint']} data-mistake="true">
            {mistakeOf('channels')}
          </p>
        )}
      </div>
    </fieldset>
  );
}

export function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
