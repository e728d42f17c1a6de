import { useId, useState } from 'react';
import { readDay } from '#model/format/format-time.ts';
import { DateField, describeNoDay } from '../date-field.tsx';
import { useAnnounced } from '../live-region.tsx';
import { useAddress } from '../navigation.tsx';
import { Segmented } from '../segmented.tsx';
import styles from './range-picker.module.css';
import { type ChosenRange, whyRangeIgnored } from '#model/charts/range-param.ts';

const CUSTOM = 'Custom';
const WRONG_ORDER = 'The end is before the start.';
const NO_START = 'Choose a start date.';

interface RangePickerProps {
  readonly names: readonly string[];
  readonly value: ChosenRange;
  /** Whether only a part of the range is in view. No range is then marked, and choosing one shows it whole. */
  readonly isPart?: boolean;
  readonly onChange: (range: ChosenRange) => void;
  /** First day shown, the initial start of a custom range. */
  readonly begin: string;
  /** Last day shown, the initial end of a custom range. */
  readonly end?: string;
  readonly today: string;
}

/** Named ranges, or a custom range by dates. */
export function RangePicker({ names, value, isPart = false, onChange, begin, today, end = today }: RangePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const custom = 'from' in value;
  const choices = [...names, CUSTOM].map((name) => [name, name] as const);
  return (
    <>
      <Segmented
        label="Range"
        choices={choices}
        value={custom || isOpen ? CUSTOM : isPart ? '' : value.name}
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

/** Says that the range of a link cannot be shown; otherwise the default range would pass for the range of the link. */
function IgnoredRange({ names }: Pick<RangePickerProps, 'names'>) {
  const { query } = useAddress();
  const reason = whyRangeIgnored(query, names);
  useAnnounced(reason === null ? null : `Range of the address ignored. ${reason}`);
  return (
    reason !== null && (
      <span className={styles['ignored']} role="note">
        <strong>Range of the address ignored.</strong> {reason}
      </span>
    )
  );
}

interface DatesProps {
  readonly value: Extract<ChosenRange, { from: string }>;
  readonly onChange: (range: ChosenRange) => void;
  readonly today: string;
}

function Dates({ value, onChange, today }: DatesProps) {
  const shown = { of: `${value.from} ${value.to ?? ''}`, from: value.from, to: value.to ?? '' };
  const [draft, setDraft] = useState(shown);
  const problemId = useId();
  // A draft is discarded when the range changes.
  const { from, to } = draft.of === shown.of ? draft : shown;
  const problem = findProblem(from.trim(), to.trim(), today);
  useAnnounced(problem?.text ?? null);
  const apply = (): void => {
    if (problem === null) onChange({ from: from.trim(), to: to.trim() || null });
  };
  const toField = (end: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      value={end === 'from' ? from : to}
      most={today}
      isInvalid={problem?.ends.includes(end) === true}
      describedBy={problem?.ends.includes(end) === true ? problemId : undefined}
      onChange={(text) => {
        setDraft({ ...shown, from, to, [end]: text });
      }}
    />
  );
  return (
    <form
      className={styles['dates']}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {toField('from', 'From')}
      <span aria-hidden="true">to</span>
      {toField('to', 'To')}
      <button type="submit" disabled={problem !== null}>
        Apply
      </button>
      {problem !== null && <span id={problemId}>{problem.text}</span>}
    </form>
  );
}

interface RangeProblem {
  readonly text: string;
  readonly ends: readonly ('from' | 'to')[];
}

function findProblem(from: string, to: string, today: string): RangeProblem | null {
  if (from === '') return { text: NO_START, ends: ['from'] };
  for (const [end, day] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (day !== '' && readDay(day) === null) return { text: describeNoDay(day, today), ends: [end] };
    if (day > today) return { text: `The newest session is ${today}.`, ends: [end] };
  }
  return to !== '' && to < from ? { text: WRONG_ORDER, ends: ['from', 'to'] } : null;
}
