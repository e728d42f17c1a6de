import { useState } from 'react';
import { useAnnounced } from '../live-region.tsx';
import { Segmented } from '../segmented.tsx';
import styles from './range-picker.module.css';
import type { ChosenRange } from './range-param.ts';

const CUSTOM = 'Custom';
const WRONG_ORDER = 'The end lies before the beginning.';
const NO_BEGINNING = 'Choose the first day.';

interface RangePickerProps {
  readonly names: readonly string[];
  readonly value: ChosenRange;
  readonly onChange: (range: ChosenRange) => void;
  /** What a range that is chosen freely begins as. */
  readonly begin: string;
  readonly today: string;
}

/** Ranges by name, and any other by its dates. */
export function RangePicker({ names, value, onChange, begin, today }: RangePickerProps) {
  const custom = 'from' in value;
  const choices = [...names, CUSTOM].map((name) => [name, name] as const);
  return (
    <>
      <Segmented
        label="Range"
        choices={choices}
        value={custom ? CUSTOM : value.name}
        onChange={(name) => {
          onChange(name === CUSTOM ? { from: begin, to: null } : { name });
        }}
      />
      {custom && <Dates key={`${value.from} ${value.to ?? ''}`} value={value} onChange={onChange} today={today} />}
    </>
  );
}

interface DatesProps {
  readonly value: Extract<ChosenRange, { from: string }>;
  readonly onChange: (range: ChosenRange) => void;
  readonly today: string;
}

function Dates({ value, onChange, today }: DatesProps) {
  const [from, setFrom] = useState(value.from);
  const [to, setTo] = useState(value.to ?? '');
  const problem = findProblem(from, to);
  useAnnounced(problem);
  const apply = (): void => {
    if (problem === null) onChange({ from, to: to === '' ? null : to });
  };
  return (
    <form
      className={styles['dates']}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <DateField label="From" value={from} most={today} onChange={setFrom} invalid={problem !== null} />
      <span aria-hidden="true">to</span>
      <DateField label="To" value={to} most={today} onChange={setTo} invalid={problem === WRONG_ORDER} />
      <button type="submit" disabled={problem !== null}>
        Show
      </button>
      {problem !== null && <span>{problem}</span>}
    </form>
  );
}

function findProblem(from: string, to: string): string | null {
  if (from === '') return NO_BEGINNING;
  return to !== '' && to < from ? WRONG_ORDER : null;
}

interface DateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly most: string;
  readonly onChange: (value: string) => void;
  readonly invalid: boolean;
}

function DateField({ label, value, most, onChange, invalid }: DateFieldProps) {
  return (
    <input
      className={styles['date']}
      type="date"
      aria-label={label}
      aria-invalid={invalid}
      value={value}
      max={most}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  );
}
