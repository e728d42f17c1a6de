import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import hidden from '../hidden.module.css';
import styles from './date-field.module.css';
import { leadingDay, stepDay, withDay } from './step-day.ts';

interface DateFieldProps {
  readonly label: string;
  readonly isLabelShown?: boolean;
  /** As entered. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** A day chosen in the calendar, with the time of day of the text; onChange if missing. */
  readonly onPick?: (text: string) => void;
  readonly isInvalid: boolean;
  /** Ids of what explains the field or its problem. */
  readonly describedBy?: string | undefined;
  /** The last day that can be chosen. */
  readonly most?: string;
  readonly placeholder?: string;
  readonly title?: string | undefined;
  readonly onBlur?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowUp', 1],
  ['ArrowDown', -1],
]);

/**
 * A day, or a time that begins with one, in ISO 8601. The browser’s own date field shows the form of the reader’s country,
 * which differs from that of the page; of it, only the calendar is used. Arrow up and down move by a day.
 */
export function DateField({
  label,
  isLabelShown = false,
  value,
  onChange,
  onPick = onChange,
  isInvalid,
  describedBy,
  most,
  placeholder = 'YYYY-MM-DD',
  title,
  onBlur,
  onKeyDown,
}: DateFieldProps) {
  const step = (event: KeyboardEvent): void => {
    const next = stepDay(value, STEPS.get(event.key) ?? 0);
    if (!STEPS.has(event.key) || next === null) return;
    event.preventDefault();
    onChange(next);
  };
  const field = (
    <input
      type="text"
      className={styles['text']}
      aria-label={isLabelShown ? undefined : label}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      value={value}
      placeholder={placeholder}
      title={title}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => {
        onChange(target.value);
      }}
      onBlur={onBlur}
      onKeyDown={(event) => {
        // These keys belong to the input method.
        if (event.nativeEvent.isComposing) return;
        step(event);
        onKeyDown?.(event);
      }}
    />
  );
  return (
    <span className={styles['field']}>
      {isLabelShown ? (
        <label className={styles['label']}>
          {label} {field}
        </label>
      ) : (
        field
      )}
      <Calendar
        label={label}
        day={leadingDay(value)}
        most={most}
        pick={(day) => {
          onPick(withDay(value, day));
        }}
      />
    </span>
  );
}

interface CalendarProps {
  readonly label: string;
  readonly day: string | null;
  readonly most: string | undefined;
  readonly pick: (day: string) => void;
}

/** The browser’s calendar, which has keys, names and themes of its own. */
function Calendar({ label, day, most, pick }: CalendarProps) {
  const native = useRef<HTMLInputElement>(null);
  return (
    <span className={styles['calendar']}>
      <button type="button" aria-label={`Calendar, ${label}`} onClick={() => native.current?.showPicker()}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3.5M10.5 2v3.5" />
        </svg>
      </button>
      <input
        ref={native}
        type="date"
        className={hidden['hidden']}
        tabIndex={-1}
        aria-hidden="true"
        value={day ?? ''}
        max={most}
        onChange={({ target }) => {
          if (target.value !== '') pick(target.value);
        }}
      />
    </span>
  );
}
