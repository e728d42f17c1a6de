import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react';
import { countOf } from '#model/format/count.ts';
import { toInstantAt, toShare, toStep, type TimeWindow } from '#model/time/time-window.ts';
import { formatDuration, formatInstant, type Zone } from '#model/format/format-time.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { Time } from '#page/kit/time/time.tsx';
import { type Activity, DENSITY, toDensityPath } from './use-activity.ts';
import styles from './travel.module.css';

/** An instant that the viewer moves along the strip. */
export interface Handle {
  readonly name: string;
  readonly at: number;
  readonly move: (at: number) => void;
}

interface TimeStripProps {
  readonly window: TimeWindow;
  readonly activity: Activity;
  /** Pressing the strip moves the first handle there. */
  readonly handles: readonly Handle[];
}

/** Draws the journal over time: its changes, its gaps, and the instants shown. */
export function TimeStrip({ window, activity, handles }: TimeStripProps) {
  const [zone] = useZone();
  const strip = useRef<HTMLDivElement>(null);
  const held = useRef<Handle['name'] | null>(null);
  const follow = ({ clientX }: PointerEvent): void => {
    const box = strip.current?.getBoundingClientRect();
    const handle = handles.find(({ name }) => name === held.current);
    if (strip.current === null || box === undefined) return;
    const at = toInstantAt((clientX - box.left) / box.width, window);
    if (handle === undefined) strip.current.title = describeAt(at, activity, zone);
    else handle.move(at);
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    const { handle } = (event.target as HTMLElement).dataset;
    held.current = handle ?? handles[0]?.name ?? null;
    strip.current?.setPointerCapture(event.pointerId);
    strip.current?.querySelector<HTMLElement>(`[data-handle="${held.current ?? ''}"]`)?.focus({ preventScroll: true });
    // The press would otherwise move the focus away and select text.
    event.preventDefault();
    follow(event);
  };
  const release = (): void => {
    held.current = null;
  };
  return (
    <div className={styles['strip']}>
      <div
        ref={strip}
        className={styles['track']}
        onPointerDown={press}
        onPointerMove={follow}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <Density window={window} activity={activity} />
        {activity.gaps.map(({ from, to }) => (
          <i
            key={from}
            data-part="gap"
            className={styles['gap']}
            style={{
              insetInlineStart: toPercent(toShare(from, window)),
              inlineSize: toPercent(toShare(to, window) - toShare(from, window)),
            }}
          />
        ))}
        {handles.length > 1 && <Between handles={handles} window={window} />}
        {handles.map((handle) => (
          <StripHandle key={handle.name} handle={handle} window={window} />
        ))}
      </div>
      <Axis window={window} />
    </div>
  );
}

function Density({ window, activity: { buckets, bucketSeconds, gaps } }: Pick<TimeStripProps, 'window' | 'activity'>) {
  const path = useMemo(() => toDensityPath(buckets ?? [], window), [buckets, window]);
  if (buckets === null) return null;
  const sum = buckets.reduce((total, { changes }) => total + changes, 0);
  return (
    <svg
      viewBox={`0 0 ${String(DENSITY.width)} ${String(DENSITY.height)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${countOf(sum, 'change')} by ${formatDuration(bucketSeconds)}; ${countOf(gaps.length, 'gap')}`}
    >
      <path d={path} />
    </svg>
  );
}

/** Marks the span between the compared instants. */
function Between({ handles, window }: Pick<TimeStripProps, 'handles' | 'window'>) {
  const shares = handles.map(({ at }) => toShare(at, window));
  const from = Math.min(...shares);
  return (
    <i
      data-part="between"
      style={{ insetInlineStart: toPercent(from), inlineSize: toPercent(Math.max(...shares) - from) }}
    />
  );
}

/** The number of arrow key steps across the window. */
const KEY_STEPS = 120;
const PAGE_STEPS = 10;

function StripHandle({ handle: { name, at, move }, window }: { readonly handle: Handle; readonly window: TimeWindow }) {
  const [zone] = useZone();
  const step = toStep(window, KEY_STEPS);
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = toTarget(event.key, at, step, window);
    if (target === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(target);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      data-handle={name}
      data-outside={at < window.from || at > window.to}
      aria-label={name}
      aria-valuemin={toSeconds(window.from)}
      aria-valuemax={toSeconds(window.to)}
      aria-valuenow={toSeconds(Math.min(window.to, Math.max(window.from, at)))}
      aria-valuetext={formatInstant(at, zone)}
      style={{ insetInlineStart: toPercent(toShare(at, window)) }}
      onKeyDown={onKeyDown}
    />
  );
}

function toTarget(key: string, at: number, step: number, { from, to }: TimeWindow): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -PAGE_STEPS,
    PageUp: PAGE_STEPS,
  };
  if (key === 'Home') return from;
  if (key === 'End') return to;
  const move = moves[key];
  return move === undefined ? null : Math.min(to, Math.max(from, at + move * step));
}

const LABELS = 4;

function Axis({ window }: { readonly window: TimeWindow }) {
  const [zone] = useZone();
  const [first, last] = [window.from, window.to].map((end) => formatInstant(end, zone).slice(0, DAY_LENGTH));
  const isOneDay = first === last;
  return (
    <div className={styles['axis']}>
      {Array.from({ length: LABELS + 1 }, (_, place) => {
        const at = window.from + ((window.to - window.from) * place) / LABELS;
        return (
          <Time key={place} at={at}>
            {toLabel(formatInstant(at, zone), place > 0 && place < LABELS && isOneDay)}
          </Time>
        );
      })}
    </div>
  );
}

/** Describes an instant for the tooltip. */
function describeAt(at: number, { buckets, gaps, bucketSeconds }: Activity, zone: Zone): string {
  const isAt = ({ from, to }: TimeWindow): boolean => from <= at && at < to;
  const time = formatInstant(at, zone);
  if (gaps.some(isAt)) return `${time}\nIn a gap: nothing was read`;
  if (buckets === null) return time;
  return `${time}\n${countOf(buckets.find(isAt)?.changes ?? 0, 'change')} in these ${formatDuration(bucketSeconds)}`;
}

const DAY_LENGTH = '2026-11-20'.length;

/** Shortens a label: the screen's title names the zone, and the ends of the strip name the day. */
function toLabel(text: string, isShort: boolean): string {
  return text.slice(isShort ? DAY_LENGTH + 1 : 0, '2026-11-20 08:00:00'.length);
}

function toSeconds(millis: number): number {
  return Math.round(millis / 1_000);
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
