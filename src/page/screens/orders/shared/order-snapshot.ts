import type { CompletenessCheck } from '#model/orders/working-set.ts';
import type { Source } from '#model/source.ts';
import type { Stamp } from '#page/panels/panel-query.ts';

/** All working orders at one reading. */
export interface OrderSnapshot extends Stamp {
  readonly completeness: CompletenessCheck;
  readonly source: Source;
  /** How many rows failed validation. */
  readonly setAside: number;
  /** Where the response differed from the interface, a sentence each. */
  readonly deviationTexts: readonly string[];
  /** Whether some tick sizes may be unchecked. */
  readonly isCheckLimited: boolean;
}

interface Deviation {
  readonly count: number;
  readonly place: string;
  readonly expected: string;
  readonly found: string;
}

export function toDeviationText({ count, place, expected, found }: Deviation): string {
  return `${place}: expected ${expected}, found ${found}${count > 1 ? ` (${String(count)} times)` : ''}.`;
}
