import { isDay } from '#contract/day.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { expiryFilter, rightFilter } from '../market-params.ts';
import { formatDayRange, toDayRange, type DayRange } from './term-filter.ts';
import styles from './term-filter.module.css';

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
const WRONG_ORDER = 'The end is before the start, so nothing matches.';

/** Filters by what a contract is. They apply at once, and are part of the address. */
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

/** Days of the final settlement, both included; either may be left open. */
function ExpiryDates({ range, onChange }: ExpiryDatesProps) {
  const { from, to } = range;
  const problem = from !== null && to !== null && to < from ? WRONG_ORDER : null;
  useAnnounced(problem);
  return (
    <div className={styles['dates']}>
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          {end === 'from' ? 'From' : 'To'}
          <input
            type="date"
            value={range[end] ?? ''}
            aria-invalid={problem !== null}
            onChange={({ target: { value } }) => {
              onChange({ ...range, [end]: isDay(value) ? value : null });
            }}
          />
        </label>
      ))}
      {problem !== null && <span className={styles['problem']}>{problem}</span>}
    </div>
  );
}
