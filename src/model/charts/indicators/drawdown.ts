import { divide, type Fixed, ONE } from './fixed-point.ts';

/** How far each settlement is below the highest one so far, as a fraction: zero at a new high, otherwise negative. */
export function toDrawdowns(values: readonly Fixed[]): readonly Fixed[] {
  let highest = 0n;
  return values.map((value) => {
    if (value > highest) highest = value;
    return divide(value, highest) - ONE;
  });
}
