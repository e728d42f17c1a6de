import { useId } from 'react';
import { parseBound, type RangeEnd, type WrittenRange } from '#model/time/time-range.ts';
import type { GridFilter } from '#model/tables/grid-state.ts';
import { DateField } from '#page/kit/date-field/date-field.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import styles from '../shared/orders.module.css';
import { TIME_HINT } from './time-hint.ts';

interface TimeFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

const NO_RANGE: WrittenRange = { from: '', to: '' };

const USUAL_RANGES: readonly (readonly [label: string, range: WrittenRange])[] = [
  ['In the last hour', { from: '1 h ago', to: '' }],
  ['Today (UTC)', { from: 'today', to: '' }],
  ['More than 1 hour ago', { from: '', to: '1 h ago' }],
  ['More than 1 day ago', { from: '', to: '1 d ago' }],
  ['More than 1 week ago', { from: '', to: '1 w ago' }],
];

export function TimeFilter({ filter, put }: TimeFilterProps) {
  const range = filter?.kind === 'within' ? filter : NO_RANGE;
  const hintId = useId();
  const putRange = ({ from, to }: WrittenRange): void => {
    put(from === '' && to === '' ? null : { kind: 'within', from, to });
  };
  return (
    <>
      <div className={styles['choices']} role="group" aria-label="Usual ranges">
        {USUAL_RANGES.map(([label, usual]) => {
          const isOn = usual.from === range.from && usual.to === range.to;
          return (
            <button
              key={label}
              type="button"
              className={styles['toggle']}
              aria-pressed={isOn}
              onClick={() => {
                putRange(isOn ? NO_RANGE : usual);
              }}
            >
              {label}
            </button>
          );
        })}
      </div>
      {(['from', 'to'] as const).map((end) => (
        <BoundField
          key={end}
          end={end}
          bound={range[end]}
          hintId={hintId}
          set={(bound) => {
            putRange({ ...range, [end]: bound });
          }}
        />
      ))}
      <p id={hintId} className={styles['hint']}>
        {TIME_HINT}
      </p>
    </>
  );
}

interface BoundFieldProps {
  readonly end: RangeEnd;
  readonly bound: string;
  readonly hintId: string;
  readonly set: (bound: string) => void;
}

/** A text that is no time yet changes nothing. */
function BoundField({ end, bound, hintId, set }: BoundFieldProps) {
  const [draft, setDraft] = useDraft<string>(bound);
  const errorId = useId();
  const text = draft ?? bound;
  const isTime = text.trim() === '' || parseBound(text) !== null;
  const edit = (next: string): void => {
    const read = next.trim() === '' ? '' : parseBound(next);
    setDraft(next, read ?? bound);
    if (read !== null && read !== bound) set(read);
  };
  return (
    <span className={styles['choice']}>
      <DateField
        label={end === 'from' ? 'From' : 'To'}
        isLabelShown
        value={text}
        placeholder="Any"
        isInvalid={!isTime}
        describedBy={isTime ? hintId : `${errorId} ${hintId}`}
        onChange={edit}
      />
      {!isTime && (
        <span id={errorId} className={styles['invalid']}>
          Not a time
        </span>
      )}
    </span>
  );
}
