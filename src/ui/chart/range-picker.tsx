import { useState } from 'react';
import { useAnnounced } from '../live-region.tsx';
import { Segmented } from '../segmented.tsx';
import styles from './range-picker.module.css';
import type { ChosenRange } from './range-param.ts';

const CUSTOM = 'Custom';
const WRONG = 'The end lies before the beginning.';

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
  const wrong = from === '' || (to !== '' && to < from);
  useAnnounced(wrong ? WRONG : null);
  const apply = (): void => {
    if (!wrong) onChange({ from, to: to === '' ? null : to });
  };
  return (
    <form
      className={styles['dates']}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <DateField label="From" value={from} most={today} onChange={setFrom} invalid={wrong} />
      <span aria-hidden="true">to</span>
      <DateField label="To" value={to} most={today} onChange={setTo} invalid={wrong} />
      <button type="submit" disabled={wrong}>
        Show
      </button>
      {wrong && <span>{WRONG}</span>}
    </form>
  );
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
