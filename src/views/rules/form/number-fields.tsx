import { useState } from 'react';
import { SPAN_UNITS, unitOfSpan } from '#domain/rules/span-text.ts';
import { Field, type FieldProps } from '#ui/field.tsx';

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

/** A span of time, in the unit that suits it. */
export function SpanField({ value, onChange, ...field }: Omit<NumberFieldProps, 'unit'>) {
  const [chosen, setChosen] = useState(() => unitOfSpan(value ?? 0).seconds);
  // A value from elsewhere may be no whole number of the unit.
  const per = value !== null && value % chosen !== 0 ? unitOfSpan(value).seconds : chosen;
  const count = value === null ? null : value / per;
  return (
    <Field {...field}>
      {(control) => (
        <>
          <NumberInput
            {...control}
            value={count}
            onChange={(next) => {
              setChosen(per);
              onChange(next === null ? null : Math.round(next * per));
            }}
          />
          <select
            aria-label={`${field.label}: unit`}
            value={per}
            onChange={({ target }) => {
              setChosen(Number(target.value) as typeof chosen);
              onChange(count === null ? null : count * Number(target.value));
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
