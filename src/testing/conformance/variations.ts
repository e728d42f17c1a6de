import { multiplied, rows } from './tampering.ts';
import type { Tampering } from './tampering-proxy.ts';

/** Ways for an exchange to be right that ours does not show, each with the checks that must not mind (by the beginning of their titles). */
export interface Variation extends Tampering {
  readonly right: string;
  readonly passes: readonly string[];
}

export const VARIATIONS: readonly Variation[] = [
  {
    right: 'exactly 10,000 orders rest',
    passes: ['more than 10,000'],
    ...rows('ordersWorking', multiplied(25)),
  },
];
