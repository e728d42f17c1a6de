import { useState } from 'react';
import { SPAN_UNITS, unitOfSpan } from '#model/rules/span-text.ts';
import { Field, type FieldProps } from '#page/kit/field.tsx';

interface NumberFieldProps extends FieldProps {
  /** Null while what is in the field is no number. */
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

/** A span of time, in the unit that suits it; one that is typed, as it is typed. */
export function SpanField({ value, onChange, ...field }: Omit<NumberFieldProps, 'unit'>) {
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
