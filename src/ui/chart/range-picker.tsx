import { useState } from 'react';
import { useAnnounced } from '../live-region.tsx';
import { useAddress } from '../navigation/navigation.tsx';
import { Segmented } from '../segmented.tsx';
import styles from './range-picker.module.css';
import { type ChosenRange, whyRangeIgnored } from './range-param.ts';

const CUSTOM = 'Custom';
const WRONG_ORDER = 'The end is before the start.';
const NO_START = 'Choose a start date.';

interface RangePickerProps {
  readonly names: readonly string[];
  readonly value: ChosenRange;
  readonly onChange: (range: ChosenRange) => void;
  /** First day shown, the initial start of a custom range. */
  readonly begin: string;
  /** Last day shown, the initial end of a custom range. */
  readonly end?: string;
  readonly today: string;
}

/** Named ranges, or a custom range by dates. */
export function RangePicker({ names, value, onChange, begin, today, end = today }: RangePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const custom = 'from' in value;
  const choices = [...names, CUSTOM].map((name) => [name, name] as const);
  return (
    <>
      <Segmented
        label="Range"
        choices={choices}
        value={custom || isOpen ? CUSTOM : value.name}
        onChange={(name) => {
          setOpen(name === CUSTOM);
          if (name !== CUSTOM) onChange({ name });
        }}
      />
      {(custom || isOpen) && (
        <Dates
          value={custom ? value : { from: begin, to: end }}
          today={today}
          onChange={(range) => {
            setOpen(false);
            onChange(range);
          }}
        />
      )}
      <IgnoredRange names={names} />
    </>
  );
}

/** That a link asks for a range which cannot be shown: without a word, the usual range would pass for that of the link. */
function IgnoredRange({ names }: Pick<RangePickerProps, 'names'>) {
  const { query } = useAddress();
  const reason = whyRangeIgnored(query, names);
  useAnnounced(reason === null ? null : `Range of the address ignored. ${reason}`);
  return reason !== null && <span className={styles['ignored']} role="note"><strong>Range of the address ignored.</strong> {reason}</span>;
}

interface DatesProps {
  readonly value: Extract<ChosenRange, { from: string }>;
  readonly onChange: (range: ChosenRange) => void;
  readonly today: string;
}

function Dates({ value, onChange, today }: DatesProps) {
  const shown = { of: `${value.from} ${value.to ?? ''}`, from: value.from, to: value.to ?? '' };
  const [draft, setDraft] = useState(shown);
  // A draft is discarded when the range changes.
  const { from, to } = draft.of === shown.of ? draft : shown;
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
      <DateField
        label="From"
        value={from}
        most={today}
        onChange={(day) => {
          setDraft({ ...shown, from: day, to });
        }}
        invalid={problem !== null}
      />
      <span aria-hidden="true">to</span>
      <DateField
        label="To"
        value={to}
        most={today}
        onChange={(day) => {
          setDraft({ ...shown, from, to: day });
        }}
        invalid={problem === WRONG_ORDER}
      />
      <button type="submit" disabled={problem !== null}>
        Apply
      </button>
      {problem !== null && <span>{problem}</span>}
    </form>
  );
}

function findProblem(from: string, to: string): string | null {
  if (from === '') return NO_START;
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
