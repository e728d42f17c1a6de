import { countOf } from '#model/format/count.ts';
import { toShare, type TimeWindow } from '#model/time/time-window.ts';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import styles from './trial-line.module.css';

interface TrialLineProps {
  readonly span: TimeWindow;
  readonly gaps: readonly TimeWindow[];
  readonly firings: readonly TimeWindow[];
}

const WIDTH = 1_000;

/** The time in which a rule was tried: when it would have fired, with gaps hatched. */
export function TrialLine({ span, gaps, firings }: TrialLineProps) {
  const [zone] = useZone();
  if (span.to <= span.from) return null;
  return (
    <figure className={styles['line']}>
      <figcaption aria-hidden="true">
        {firings.length > 0 && (
          <span>
            <i data-part="firing" /> firing
          </span>
        )}
        {gaps.length > 0 && (
          <span>
            <i data-part="gap" className={styles['sample']} /> gap: not read
          </span>
        )}
      </figcaption>
      <div className={styles['track']}>
        {gaps.map((gap) => (
          <i key={gap.from} data-part="gap" className={styles['gap']} style={toPlace(gap, span)} />
        ))}
        <svg
          viewBox={`0 0 ${String(WIDTH)} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${countOf(firings.length, 'firing')}, ${countOf(gaps.length, 'gap')}. Each firing is listed below.`}
        >
          <path d={firings.map((firing) => toPath(firing, span)).join('')} />
        </svg>
      </div>
      <div className={styles['axis']}>
        {[span.from, span.to].map((at) => (
          <Time key={at} at={at}>
            {formatInstant(at, zone)}
          </Time>
        ))}
      </div>
    </figure>
  );
}

function toPath({ from, to }: TimeWindow, span: TimeWindow): string {
  const [start, end] = [from, to].map((at) => (WIDTH * toShare(at, span)).toFixed(2));
  return `M${String(start)} 0V1H${String(end)}V0Z`;
}

function toPlace({ from, to }: TimeWindow, span: TimeWindow) {
  return {
    insetInlineStart: toPercent(toShare(from, span)),
    inlineSize: toPercent(toShare(to, span) - toShare(from, span)),
  };
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
