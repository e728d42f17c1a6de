import { describeProvenance, type Fact } from '#model/format/provenance.ts';
import { isUnexplained, type LifeChange, type LifePhrase, type LifeLine as Line } from '#model/orders/order-life.ts';
import { Figure } from '#page/kit/figure.tsx';
import {
  formatDayIn,
  formatDuration,
  formatInAllZones,
  formatInstant,
  formatTimeOfDay,
} from '#model/format/format-time.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import type { LifeGap, LifeReading } from './use-life.ts';
import styles from './life.module.css';
import type { DeskJournalOrder } from '#contract/desk/journal.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Time } from '#page/kit/time/time.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { PLOT, toArea, toShare, toStepPath } from '#model/charts/orders/life-path.ts';

/** Shows the new value of a field, with the provenance of its figures. */
export function LifePhraseText({ phrase }: { readonly phrase: LifePhrase }) {
  const { name, text, figures } = phrase;
  return figures.length === 0 ? text : <Figure name={name} text={text} provenance={() => explain(phrase)} />;
}

/** Explains the figure before and after the change. */
function explain({ figures }: LifePhrase): readonly Fact[] {
  const [is, was] = figures.toReversed();
  if (is === undefined) return [];
  const before =
    was?.provenance.kind === 'read'
      ? [{ name: 'Raw value before', value: was.provenance.wireText ?? 'null', code: true }]
      : [];
  return [...before, ...describeProvenance(is, formatInAllZones)];
}

/** States the period that the journal covers, and what it does not know about the order. */
export function LifeFacts({
  query,
  changes,
  gaps,
  haveGapsFailed,
}: Pick<LifeReading, 'query' | 'changes' | 'gaps' | 'haveGapsFailed'>) {
  const { data } = query;
  if (data === undefined) return null;
  const { kept_from: from, read_to: to } = data.value;
  const gapMs = (gaps ?? []).reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const leftOut = data.setAside.length;
  return (
    <div className={styles['note']}>
      <p>
        Journal since <Timestamp at={from} />, last reading <Timestamp at={to} />.
      </p>
      {isUnexplained(changes) && <p>How it closed is not known yet.</p>}
      {gapMs > 0 && (
        <p>
          Hatched: working orders were not read for {formatDuration(gapMs / 1_000)} in{' '}
          {countOf(gaps?.length ?? 0, 'gap')}. Changes there may have gone unseen.
        </p>
      )}
      {haveGapsFailed && <p>Gaps in the journal could not be read: there may be some that are not hatched.</p>}
      {leftOut > 0 && <p>{countOf(leftOut, 'change')} left out: invalid in the response.</p>}
    </div>
  );
}

/** States that the journal has no record of an order. */
export function NoLife({ kept_from: from }: Pick<DeskJournalOrder, 'kept_from'>) {
  return (
    <EmptyState title="Not in the journal">
      {from === null ? (
        <p>The journal has no reading of working orders yet.</p>
      ) : (
        <p>
          No reading has shown this order as working since <Timestamp at={from} />, when the journal begins.
        </p>
      )}
    </EmptyState>
  );
}

interface LifeLineProps {
  readonly line: Line;
  readonly changes: readonly LifeChange[];
  readonly gaps: readonly LifeGap[];
  readonly side: string;
  readonly isLarge?: boolean;
}

/** Draws filled contracts as steps up to the order quantity, with marks of other changes above and gaps hatched. */
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

/** Labels the time axis. Each label names its day only if it differs from that of the previous label. */
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
  return (
    `${filled} in ${countOf(steps, 'step')}; ${countOf(priceChanges.length, 'price change')}; ` +
    `${countOf(gaps, 'gap')}. Each change is listed below.`
  );
}
