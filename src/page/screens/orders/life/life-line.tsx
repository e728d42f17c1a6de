import { countOf, formatCount } from '#model/format/count.ts';
import type { LifeChange, LifeLine as Line } from '#model/orders/order-life.ts';
import { Time } from '#page/kit/time/time.tsx';
import { formatDayIn, formatInstant, formatTimeOfDay } from '#model/format/format-time.ts';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { PLOT, toArea, toShare, toStepPath } from '#model/charts/orders/life-path.ts';
import type { LifeGap } from './use-life.ts';
import styles from './life.module.css';

interface LifeLineProps {
  readonly line: Line;
  readonly changes: readonly LifeChange[];
  readonly gaps: readonly LifeGap[];
  readonly side: string;
  readonly isLarge?: boolean;
}

/** Filled contracts as steps up to the order quantity, with marks of other changes above and gaps hatched. */
export function LifeLine({ line, changes, gaps, side, isLarge = false }: LifeLineProps) {
  const marks = toMarks(line, changes);
  return (
    <figure className={styles['line']} data-large={isLarge}>
      <figcaption>
        <span>{line.most === 1 ? 'Filled: 0 to 1 contract' : `Filled: 0 to ${countOf(line.most, 'contract')}`}</span>
        <Legend marks={marks} hasGaps={gaps.length > 0} />
      </figcaption>
      <div className={styles['plot']} data-side={side}>
        <svg
          viewBox={`0 0 ${String(PLOT.width)} ${String(PLOT.height)}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summarise(line, gaps.length)}
        >
          {line.spans.map((span, index) => {
            const path = toStepPath(span, line, ({ filled }) => filled);
            return (
              <g key={index}>
                <path data-part="area" d={toArea(path)} />
                <path data-part="filled" d={path} />
                <path data-part="requested" d={toStepPath(span, line, ({ requested }) => requested)} />
              </g>
            );
          })}
        </svg>
        {gaps.map(({ from, to }) => (
          <i
            key={from}
            data-part="gap"
            className={styles['gap']}
            style={{
              insetInlineStart: toPercent(toShare(from, line)),
              inlineSize: toPercent(toShare(to, line) - toShare(from, line)),
            }}
          />
        ))}
        {marks.map(({ kind, at }) => (
          <i
            key={`${kind} ${String(at)}`}
            data-mark={kind}
            style={{ insetInlineStart: toPercent(toShare(at, line)) }}
          />
        ))}
      </div>
      <Axis line={line} isLarge={isLarge} />
    </figure>
  );
}

type MarkKind = 'seen' | 'price' | 'gone';

interface Mark {
  readonly kind: MarkKind;
  readonly at: number;
}

const MARK_NAMES: Readonly<Record<MarkKind, string>> = {
  seen: 'first seen',
  price: 'price changed',
  gone: 'no longer working',
};

function toMarks({ spans, priceChanges }: Line, changes: readonly LifeChange[]): readonly Mark[] {
  const first = changes[0]?.kind === 'seen' && changes[0].readAfter !== null ? spans[0]?.steps.slice(0, 1) : [];
  return [
    ...(first ?? []).map(({ at }): Mark => ({ kind: 'seen', at })),
    ...[...new Set(priceChanges)].map((at): Mark => ({ kind: 'price', at })),
    ...spans.filter(({ isOpen }) => !isOpen).map(({ end }): Mark => ({ kind: 'gone', at: end })),
  ];
}

function Legend({ marks, hasGaps }: { readonly marks: readonly Mark[]; readonly hasGaps: boolean }) {
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  return (
    <span className={styles['legend']} aria-hidden="true">
      {kinds.map((kind) => (
        <span key={kind}>
          <i data-mark={kind} /> {MARK_NAMES[kind]}
        </span>
      ))}
      {hasGaps && (
        <span>
          <i data-part="gap" className={styles['sample']} /> gap
        </span>
      )}
    </span>
  );
}

const LABELS = 5;

/** Each label names its day only where it is another than that of the label before. */
function Axis({ line: { start, end }, isLarge }: Pick<LifeLineProps, 'line' | 'isLarge'>) {
  const [zone] = useZone();
  const count = end === start ? 1 : isLarge === true ? LABELS : 2;
  const times = Array.from({ length: count }, (_, index) => start + ((end - start) * index) / Math.max(1, count - 1));
  return (
    <div className={styles['axis']}>
      {times.map((at, index) => (
        <Time key={index} at={at} className={index > 0 && index < count - 1 ? styles['inner'] : undefined}>
          {formatDayIn(at, zone) === formatDayIn(times[index === count - 1 ? 0 : index - 1] ?? NaN, zone)
            ? formatTimeOfDay(at, zone)
            : formatInstant(at, zone)}
        </Time>
      ))}
    </div>
  );
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

function summarise({ spans, most, priceChanges }: Line, gaps: number): string {
  const last = spans.at(-1)?.steps.at(-1)?.filled ?? null;
  const steps = spans.reduce(
    (sum, span) =>
      sum + span.steps.filter(({ filled }, place) => place > 0 && filled !== span.steps[place - 1]?.filled).length,
    0,
  );
  const filled = last === null ? 'Filled quantity not known' : `${formatCount(last)} of ${formatCount(most)} filled`;
  return `${filled} in ${countOf(steps, 'step')}; ${countOf(priceChanges.length, 'price change')}; ${countOf(gaps, 'gap')}. Each change is listed below.`;
}
