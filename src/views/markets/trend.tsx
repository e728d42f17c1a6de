import { toSparklinePath } from '#domain/sparkline.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import styles from './markets-screen.module.css';

const SIZE = { width: 72, height: 18 } as const;

/** Settlements of the last days as a line; a gap is a session without one. */
export function Trend({ values }: { readonly values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined || known.length < 2) return <>{NO_VALUE}</>;
  return (
    <svg className={styles['trend']} viewBox={`-1 -1 ${String(SIZE.width + 2)} ${String(SIZE.height + 2)}`} role="img" aria-label={describe(known.length, last / first - 1)}>
      <path d={toSparklinePath(values, SIZE)} />
    </svg>
  );
}

function describe(sessions: number, change: number): string {
  const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'unchanged';
  return `${direction} ${Math.abs(change * 100).toFixed(1)} percent over ${String(sessions)} settlements`;
}
