import { useEffect, useEffectEvent, useState } from 'react';
import { type TimeWindow, toWindow } from '#model/time/time-window.ts';
import { Segmented } from '../../../kit/segmented.tsx';
import { useStable } from '../../../kit/use-stable.ts';
import { useUrlState } from '../../../kit/navigation/navigation.tsx';
import { type Span, spanParam } from './travel-params.ts';
import { TimeField } from './time-field.tsx';
import { type Handle, TimeStrip } from './time-strip.tsx';
import { useActivity } from './use-activity.ts';
import type { Steps } from './use-steps.ts';
import type { Travel } from './use-travel.ts';
import styles from './travel.module.css';

/** What a hand rests on for so long is read; what it only passes is not. */
const REST_MS = 150;

/** A value that follows the hand at once, and is put where it stays once the hand rests. */
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
  /** Null: the journal has no reading yet. */
  readonly whole: TimeWindow | null;
  readonly now: number;
  readonly steps: Steps;
  /** The list shows this product only. */
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

/** Goes through the journal: by its changes, by a time that is typed, and by hand along the strip. */
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

/** A tenth of what the bar shows before, so that the second handle is at hand. */
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
  // By where the list is and not by the hand, under which the strip would move.
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
