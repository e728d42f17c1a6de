import type { Instant } from '#contract/instant.ts';
import { describeProvenance, type ProvenanceLine } from './format-provenance.ts';
import type { Quantity } from './quantity.ts';

/** Where a figure comes from, line by line, or that there is none. */
export function describeFigure(quantity: Quantity | null, formatTime: (at: Instant | number) => string): readonly ProvenanceLine[] {
  return quantity === null ? [{ name: 'No figure', value: 'the venue told none, or not all that it is made of' }] : describeProvenance(quantity, formatTime);
}
