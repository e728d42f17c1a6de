import { formatCount } from '#model/format/count.ts';
import type { CompletenessCheck } from '#model/orders/working-set.ts';
import type { Source } from '#model/response.ts';
import type { Stamp } from '#page/panels/panel-body.tsx';

/** All working orders at one reading. */
export interface OrderSnapshot extends Stamp {
  readonly completeness: CompletenessCheck;
  readonly source: Source;
  /** How many rows failed validation. */
  readonly setAside: number;
  /** The response's deviations from the interface, one sentence each. */
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
  return `${place}: expected ${expected}, found ${found}${count > 1 ? ` (${formatCount(count)} times)` : ''}.`;
}
