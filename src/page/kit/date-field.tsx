import { readDay } from '#model/format/format-time.ts';
import { type KeyboardEvent, useRef } from 'react';
import hidden from './hidden.module.css';
import styles from './date-field.module.css';

const DAY_MS = 86_400_000;
const LENGTH = 'YYYY-MM-DD'.length;

/**
 * Returns the day that an entered text begins with, or null.
 *
 * @internal Exported for its test.
 */
export function leadingDay(text: string): string | null {
  return readDay(text.trimStart().slice(0, LENGTH));
}

/**
 * Moves the day of a text by a number of days, and keeps its time of day. Returns null if the text begins with no day,
 * or the calendar ends.
 *
 * @internal Exported for its test.
 */
export function stepDay(text: string, count: number): string | null {
  const day = leadingDay(text);
  if (day === null) return null;
  const moved = readDay(new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, LENGTH));
  return moved && withDay(text, moved);
}

/**
 * Replaces the day of a text and keeps its time of day.
 *
 * @internal Exported for its test.
 */
export function withDay(text: string, day: string): string {
  return leadingDay(text) === null ? day : `${day}${text.trim().slice(LENGTH)}`;
}

/** Explains why a text is not accepted. The example shows the expected format. */
export function describeNoDay(text: string, example: string): string {
  return `“${text.trim()}” is no date. Write it as ${example}.`;
}

interface DateFieldProps {
  readonly label: string;
  readonly isLabelShown?: boolean;
  /** The text as entered. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called with a day chosen in the calendar and the time of day of the text; `onChange` by default. */
  readonly onPick?: (text: string) => void;
  readonly isInvalid: boolean;
  /** Ids of the elements that explain the field or its mistake. */
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
 * A field for a day, or for a time that begins with one, in ISO 8601. The browser’s own date field uses the format of
 * the user’s locale, which differs from the page’s, so only its calendar is used. Arrow up and down move by a day.
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
        // While a character is composed, keys belong to the input method.
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

/** A button that opens the browser’s calendar, which has its own keys, names and themes. */
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
