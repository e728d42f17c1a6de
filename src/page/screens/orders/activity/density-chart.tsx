import type { DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { countOf } from '#model/format/count.ts';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { findPeak, KINDS } from '#model/tables/orders/peak.ts';
import styles from './activity.module.css';

const HEIGHT = 100;

interface DensityChartProps {
  readonly activity: DeskJournalActivity;
  /** When the window begins, also where the journal begins later. */
  readonly begin: Instant | undefined;
}

/** How many changes came when. What was not read is hatched: what happened in a gap shows at its end. */
export function DensityChart({ activity, begin }: DensityChartProps) {
  const [zone] = useZone();
  const { buckets, from, to, bucket_seconds: seconds } = activity;
  if (from === null || to === null) return null;
  const isLate = begin !== undefined && compareInstants(begin, from) < 0;
  const first = isLate ? begin : from;
  const gaps = [...(isLate ? [{ from: begin, to: from }] : []), ...activity.gaps];
  const stepMs = seconds * 1_000;
  const start = Math.floor(Date.parse(first) / stepMs) * stepMs;
  const length = Math.max(stepMs, Math.ceil((Date.parse(to) - start) / stepMs) * stepMs);
  const shareOf = (instant: number): number => Math.min(1, Math.max(0, (instant - start) / length));
  const { most, caption, sentence } = findPeak(activity, zone);
  return (
    <figure className={styles['density']}>
      <figcaption>
        <span>{caption}</span>
        <span className={styles['legend']} aria-hidden="true">
          {KINDS.map((kind) => (
            <span key={kind}>
              <i data-kind={kind} /> {kind}
            </span>
          ))}
          {gaps.length > 0 && (
            <span>
              <i data-part="gap" className={styles['sample']} /> not read
            </span>
          )}
        </span>
      </figcaption>
      <div
        className={styles['plot']}
        role="img"
        aria-label={`Changes over time: ${sentence}; ${countOf(activity.gaps.length, 'gap')}.`}
      >
        <svg viewBox={`0 0 ${String(length / stepMs)} ${String(HEIGHT)}`} preserveAspectRatio="none">
          {buckets.map((bucket) => {
            let top = HEIGHT;
            return KINDS.map((kind) => {
              const height = (bucket[kind] / most) * HEIGHT;
              top -= height;
              return (
                <rect
                  key={`${bucket.from} ${kind}`}
                  data-kind={kind}
                  x={(Date.parse(bucket.from) - start) / stepMs + 0.08}
                  width={0.84}
                  y={top}
                  height={height}
                />
              );
            });
          })}
        </svg>
        {gaps.map((gap) => {
          const [left, right] = [shareOf(Date.parse(gap.from)), shareOf(Date.parse(gap.to))];
          return (
            <i
              key={gap.from}
              data-part="gap"
              className={styles['gap']}
              style={{ insetInlineStart: `${String(left * 100)}%`, inlineSize: `${String((right - left) * 100)}%` }}
            />
          );
        })}
      </div>
      <div className={styles['axis']}>
        <Timestamp at={start} />
        <Timestamp at={start + length} />
      </div>
    </figure>
  );
}
