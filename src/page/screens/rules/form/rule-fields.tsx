import { useState } from 'react';
import { SPAN_UNITS, unitOfSpan } from '#model/rules/span-text.ts';
import { ChoiceField, Field, type FieldProps } from '../../../kit/field.tsx';
import { type About, findMeasure, SEVERITIES } from '#contract/desk/rule-measures.ts';
import type { CallChoice } from '../shared/use-call-choice.ts';
import { ABOUT_NAMES, COMPARISON_NAMES, DATA_NAMES, MEASURE_GROUPS } from './field-names.ts';
import { ProductField } from './product-field.tsx';
import { changeField, changeMeasure, type RuleDraft, textOf } from './rule-draft.ts';
import styles from './form.module.css';

interface NumberFieldProps extends FieldProps {
  /** Null while what is in the field is no number. */
  readonly value: number | null;
  readonly unit: string;
  readonly onChange: (value: number | null) => void;
}

function NumberField({ value, unit, onChange, ...field }: NumberFieldProps) {
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

/** A span of time, in the unit that suits it; one that is typed, as it is typed. */
function SpanField({ value, onChange, ...field }: Omit<NumberFieldProps, 'unit'>) {
  const [typed, setTyped] = useState(() => toTyped(value, unitOfSpan(value ?? 0).seconds));
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

interface TypedSpan {
  /** What came of it: whole seconds. */
  readonly value: number | null;
  readonly count: number | null;
  /** Seconds of the unit. */
  readonly per: number;
}

/** In the unit, unless the value is no whole number of it. */
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

export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly change: (draft: RuleDraft) => void;
  /** What is wrong, by the path of the field. */
  readonly mistakeOf: (field: string) => string | undefined;
}

/** What is measured, and when it is too much. */
export function ConditionFields({ draft, change, mistakeOf }: RuleFieldsProps) {
  const { unit = null, comparisons = [], hasWindow = false } = findMeasure(draft.about, draft.measure) ?? {};
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
      {draft.about === 'funding' && (
        <ProductField
          label="Perpetual"
          slot="base_symbol"
          choices="perpetual"
          value={textOf(draft, 'base_symbol')}
          onChange={put('base_symbol')}
          mistake={mistakeOf('base_symbol')}
        />
      )}
      {draft['against'] !== undefined && (
        <ProductField
          label="Minus the rate of"
          slot="against"
          choices="perpetual"
          value={textOf(draft, 'against')}
          onChange={put('against')}
          mistake={mistakeOf('against')}
        />
      )}
      {unit !== null && (
        <>
          <ChoiceField
            label="Is"
            slot="comparison"
            value={textOf(draft, 'comparison')}
            choices={comparisons.map((one) => [one, COMPARISON_NAMES[one] ?? one])}
            onChange={put('comparison')}
            mistake={mistakeOf('comparison')}
          />
          <ValueField unit={unit} value={draft['value']} onChange={put('value')} mistake={mistakeOf('value')} />
        </>
      )}
      {hasWindow && (
        <SpanField
          label="Within"
          slot="window_seconds"
          value={toNumber(draft['window_seconds'])}
          onChange={put('window_seconds')}
          mistake={mistakeOf('window_seconds')}
        />
      )}
      <SpanField
        label="For at least"
        slot="for_seconds"
        value={toNumber(draft['for_seconds'])}
        onChange={put('for_seconds')}
        mistake={mistakeOf('for_seconds')}
        hint="With 0, the alert fires at once."
      />
    </fieldset>
  );
}

function MeasureField({ draft, change, mistakeOf }: RuleFieldsProps) {
  return (
    <Field label="Measure" slot="measure" mistake={mistakeOf('measure')}>
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

/** What follows: how much it matters, and who is called. */
export function ConsequenceFields({
  draft,
  change,
  mistakeOf,
  calls: { names: known, mayChoose },
}: RuleFieldsProps & { readonly calls: CallChoice }) {
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
      <div className={styles['field']} role="group" aria-label="Channels to call">
        <span className={styles['hint']}>Call</span>
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
              {names.length === 0 ? 'The alert is shown in Perpdesk.' : 'You can only save this rule without channels.'}{' '}
              Only people whose scope is all orders can have channels called.
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

function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
