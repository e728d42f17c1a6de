import { useId } from 'react';
import type { Day } from '#contract/exchange/instant.ts';
import { readDay } from '#model/format/format-time.ts';
import { DateField, describeNoDay } from '#page/kit/date-field.tsx';
import { Dialog } from '#page/kit/dialog.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import { expiryFilter, rightFilter } from '#model/tables/markets/market-list.ts';
import { formatDayRange, toDayRange, type DayRange } from '#model/tables/markets/term-filter.ts';
import styles from '../shared/term-filter.module.css';

const WITHIN = [
  ['', 'Any'],
  ['7d', 'Within 7 days'],
  ['30d', 'Within 30 days'],
] as const;
const RIGHTS = [
  ['', 'Any'],
  ['call', 'Calls'],
  ['put', 'Puts'],
] as const;
const NO_RANGE: DayRange = { from: null, to: null };
const EXAMPLE = '2026-11-26';
const WRONG_ORDER = 'The end is before the start, so nothing matches.';

/** Filters by the terms of a contract. Choices apply at once and are part of the address. */
export function TermFilterDialog({ close }: { readonly close: () => void }) {
  const [expires, setExpires] = useUrlState(expiryFilter);
  const [right, setRight] = useUrlState(rightFilter);
  return (
    <Dialog title="Filter by expiry, call or put" close={close}>
      <div className={styles['form']}>
        <Segmented label="Expiry" labelShown choices={WITHIN} value={expires as '7d'} onChange={setExpires} />
        <ExpiryDates
          range={toDayRange(expires) ?? NO_RANGE}
          onChange={(range) => {
            setExpires(formatDayRange(range));
          }}
        />
        <Segmented label="Call / put" labelShown choices={RIGHTS} value={right as 'call'} onChange={setRight} />
        <button
          type="button"
          disabled={expires === '' && right === ''}
          onClick={() => {
            setExpires('');
            setRight('');
          }}
        >
          Clear filter
        </button>
      </div>
    </Dialog>
  );
}

interface ExpiryDatesProps {
  readonly range: DayRange;
  readonly onChange: (range: DayRange) => void;
}

/** A range of final settlement days, both ends included; either end may be open. */
function ExpiryDates({ range, onChange }: ExpiryDatesProps) {
  return (
    <div className={styles['dates']}>
      {(['from', 'to'] as const).map((end) => (
        <ExpiryDate
          key={end}
          label={end === 'from' ? 'From' : 'To'}
          day={range[end]}
          isMisplaced={isReversed(range)}
          onChange={(day) => {
            onChange({ ...range, [end]: day });
          }}
        />
      ))}
      <Problem text={isReversed(range) ? WRONG_ORDER : null} />
    </div>
  );
}

function isReversed({ from, to }: DayRange): boolean {
  return from !== null && to !== null && to < from;
}

interface ExpiryDateProps {
  readonly label: string;
  readonly day: Day | null;
  readonly isMisplaced: boolean;
  readonly onChange: (day: Day | null) => void;
}

/** A date field. Text that is not a date yet changes nothing. */
function ExpiryDate({ label, day, isMisplaced, onChange }: ExpiryDateProps) {
  const [draft, edit] = useDraft<string>(day ?? '');
  const problemId = useId();
  const text = draft ?? day ?? '';
  const isDay = text.trim() === '' || readDay(text) !== null;
  return (
    <>
      <DateField
        label={label}
        isLabelShown
        value={text}
        placeholder="Any"
        isInvalid={!isDay || isMisplaced}
        describedBy={isDay ? undefined : problemId}
        onChange={(next) => {
          const read = next.trim() === '' ? null : (readDay(next) ?? day);
          edit(next, read ?? '');
          if (read !== day) onChange(read);
        }}
      />
      <Problem id={problemId} text={isDay ? null : describeNoDay(text, EXAMPLE)} />
    </>
  );
}

function Problem({ id, text }: { readonly id?: string; readonly text: string | null }) {
  useAnnounced(text);
  return (
    text !== null && (
      <span id={id} className={styles['problem']}>
        {text}
      </span>
    )
  );
}
