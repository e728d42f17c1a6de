import { useId } from 'react';
import { parseWrittenInstant } from '#model/time/written-instant.ts';
import { DateField } from '#page/kit/date-field/date-field.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import { formatInstant } from '#model/format/format-time.ts';
import styles from '../shared/orders.module.css';

interface TimeFieldProps {
  readonly label: string;
  readonly at: number;
  /** Epoch milliseconds of the desk’s clock, which `15 min ago` counts from. */
  readonly now: number;
  readonly put: (at: number) => void;
}

/** An instant to be typed; it counts with Enter, or once the field is left. */
export function TimeField({ label, at, now, put }: TimeFieldProps) {
  const text = Number.isNaN(at) ? '' : formatInstant(at, 'utc').slice(0, '2026-11-20 08:00:00'.length);
  const [draft, edit, drop] = useDraft<string>(text);
  const errorId = useId();
  const times = { at: Number.isNaN(at) ? now : at, now };
  const isInvalid = draft !== null && parseWrittenInstant(draft, times) === null;
  const commit = (written: string | null): void => {
    if (written === null || written === text) return;
    const instant = parseWrittenInstant(written, times);
    if (instant === null) return;
    drop();
    put(instant);
  };
  return (
    <span className={styles['choice']}>
      <DateField
        label={label}
        isLabelShown
        value={draft ?? text}
        placeholder="14:03, 2026-11-20 14:03, 15 min ago"
        title="A time on the day shown (14:03), a full time (2026-11-20 14:03:10), a day, or a time ago (15 min ago). UTC."
        isInvalid={isInvalid}
        describedBy={isInvalid ? errorId : undefined}
        onChange={(next) => {
          edit(next);
        }}
        onPick={commit}
        onBlur={() => {
          commit(draft);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit(draft);
          if (key === 'Escape') drop();
        }}
      />
      {isInvalid && (
        <span id={errorId} className={styles['invalid']}>
          Not a time
        </span>
      )}
    </span>
  );
}
