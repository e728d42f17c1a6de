import { useEffect, useEffectEvent, useId, useState } from 'react';
import { parseWrittenInstant } from '#model/time/written-time.ts';
import { DateField } from '#page/kit/date-field.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import { formatInstant } from '#model/format/format-time.ts';
import orders from '../shared/orders.module.css';
import { type TimeWindow, toWindow } from '#model/time/time-window.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { type Span, spanParam } from './travel-params.ts';
import { type Handle, TimeStrip } from './time-strip.tsx';
import { useActivity } from './use-activity.ts';
import type { Steps, Travel } from './use-travel.ts';
import styles from './travel.module.css';

interface TimeFieldProps {
  readonly label: string;
  readonly at: number;
  /** Epoch milliseconds of the server's clock, from which `15 min ago` counts. */
  readonly now: number;
  readonly put: (at: number) => void;
}

/** Edits an instant as text. It applies on Enter or when the field loses focus. */
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
    <span className={orders['choice']}>
      <DateField
        label={label}
        isLabelShown
        value={draft ?? text}
        placeholder="14:03, 2026-11-20 14:03, 15 min ago"
        title={
          'A time on the day shown (14:03), a full time (2026-11-20 14:03:10), a day, or a time ago ' +
          '(15 min ago). UTC.'
        }
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
        <span id={errorId} className={orders['invalid']}>
          Not a time
        </span>
      )}
    </span>
  );
}

/** A handle must rest this long before its instant is read; instants it passes over are not read. */
const REST_MS = 150;

/** Returns a value that follows the handle at once and is applied once the handle rests. */
export function useHand(
  value: number,
  put: (value: number) => void,
): readonly [shown: number, move: (value: number) => void] {
  const [hand, setHand] = useState<number | null>(null);
  const rest = useEffectEvent(() => {
    if (hand === null) return;
    put(hand);
    setHand(null);
  });
  useEffect(() => {
    if (hand === null) return undefined;
    const timer = window.setTimeout(rest, REST_MS);
    return () => {
      window.clearTimeout(timer);
    };
  }, [hand]);
  return [hand ?? value, setHand];
}

interface TimeBarProps {
  readonly travel: Travel;
  /** Null if the journal has no reading yet. */
  readonly whole: TimeWindow | null;
  readonly now: number;
  readonly steps: Steps;
  /** The only product that the list shows; null for all. */
  readonly symbol: string | null;
}

const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Record<Span, number>> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  'all': Infinity,
};
const SPANS = [
  ['1h', '1 h'],
  ['6h', '6 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['all', 'All'],
] as const satisfies readonly (readonly [Span, string])[];

/** Navigates the journal: by its changes, by a typed time, and by dragging along the strip. */
export function TimeBar({ travel, whole, now, steps, symbol }: TimeBarProps) {
  const [span, setSpan] = useUrlState(spanParam);
  const isCompared = travel.other !== null;
  return (
    <section className={styles['bar']} aria-label="Time travel">
      <div className={styles['controls']}>
        <StepButton steps={steps} direction="back" />
        <TimeField label="Time (UTC)" at={travel.at} now={now} put={travel.goTo} />
        <StepButton steps={steps} direction="on" />
        {isCompared ? (
          <>
            <TimeField label="With (UTC)" at={travel.other} now={now} put={travel.compareWith} />
            <button
              type="button"
              onClick={() => {
                travel.compareWith(null);
              }}
            >
              Stop comparing
            </button>
          </>
        ) : (
          <button
            type="button"
            disabled={Number.isNaN(travel.at)}
            onClick={() => {
              travel.compareWith(toFirstOther(travel.at, whole, LENGTHS[span]));
            }}
          >
            Compare with…
          </button>
        )}
        <span className={styles['message']}>{steps.message}</span>
        <Segmented label="Span of the bar" choices={SPANS} value={span} onChange={setSpan} />
      </div>
      {whole !== null && <Strip travel={travel} whole={whole} length={LENGTHS[span]} symbol={symbol} />}
    </section>
  );
}

/**
 * Returns the initial instant of a comparison: a tenth of the visible window earlier, so that the second handle is
 * within reach.
 */
function toFirstOther(at: number, whole: TimeWindow | null, length: number): number {
  if (whole === null) return at;
  const window = toWindow(whole, at, length);
  return Math.max(whole.from, Math.floor((at - (window.to - window.from) / 10) / 1_000) * 1_000);
}

const STEP_TEXTS = {
  back: { key: '[', name: 'Previous reading that shows a change' },
  on: { key: ']', name: 'Next reading that shows a change' },
} as const;

function StepButton({ steps, direction }: { readonly steps: Steps; readonly direction: 'back' | 'on' }) {
  const { key, name } = STEP_TEXTS[direction];
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-keyshortcuts={key}
      onClick={() => {
        steps.step(direction);
      }}
    >
      {direction === 'back' && '‹ '}
      <span className={styles['more']}>Change </span>
      <kbd className={styles['more']} aria-hidden="true">
        {key}
      </kbd>
      {direction === 'on' && ' ›'}
    </button>
  );
}

interface StripProps extends Pick<TimeBarProps, 'travel' | 'symbol'> {
  readonly whole: TimeWindow;
  readonly length: number;
}

function Strip({ travel, whole, length, symbol }: StripProps) {
  const start = Number.isNaN(travel.at) ? whole.to : travel.at;
  const [at, moveAt] = useHand(start, travel.goTo);
  const [other, moveOther] = useHand(travel.other ?? start, travel.compareWith);
  // Follows the list, not the handle: otherwise the strip would move under the pointer.
  const window = useStable(toWindow(whole, start, length));
  const activity = useActivity(window, symbol);
  const first: Handle = { name: 'Time shown', at, move: moveAt };
  const isCompared = travel.other !== null && !Number.isNaN(travel.other);
  return (
    <>
      <TimeStrip
        window={window}
        activity={activity}
        handles={isCompared ? [first, { name: 'Time compared with', at: other, move: moveOther }] : [first]}
      />
      {activity.hasFailed && (
        <p className={styles['note']}>
          The time bar could not be loaded: changes and gaps are missing from it. Perpdesk retries automatically.
        </p>
      )}
    </>
  );
}
