import type { Source } from '../source.ts';
import { aheadOf } from './estimate.ts';

/** The desk's time now, as an answer helps to tell it. */
export type DeskNow = (source: Source) => number;

/** A clock that was set is noticed within two of these. */
const WINDOW_MS = 60_000;

/**
 * The desk's time, by a clock of this browser and the answers that are counted by, and the same for all of them. Ages come
 * cut to seconds, and answers take their way: each tells the least that the desk is ahead, and the most of these is nearest.
 */
export function createDeskNow(now: () => number): DeskNow {
  let [before, present, since] = [-Infinity, -Infinity, now()];
  return (source) => {
    if (now() - since > WINDOW_MS) [before, present, since] = [present, -Infinity, now()];
    // One that does not say when it was made tells nothing of clocks.
    if (source.answeredAt !== null) present = Math.max(present, aheadOf(source));
    const ahead = Math.max(before, present);
    return now() + (Number.isFinite(ahead) ? ahead : 0);
  };
}
