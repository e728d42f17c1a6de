import { Time } from '../time/time.tsx';
import type { Picture } from '#model/charts/picture.ts';

/** The time of a bar; an instant has all zones in its tooltip, the date of a session is the same in each. */
export function BarTime({
  picture: { times, timeText },
  bar,
}: {
  readonly picture: Pick<Picture, 'times' | 'timeText'>;
  readonly bar: number;
}) {
  const at = times[bar];
  if (typeof at !== 'number') return <>{timeText(bar)}</>;
  return <Time at={at * 1_000}>{timeText(bar)}</Time>;
}
