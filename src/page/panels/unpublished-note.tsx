import { useMemo } from 'react';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { describeUnpublished } from '#model/voi/voi-bars.ts';

/** Says why a line of open interest has gaps. */
export function UnpublishedNote({ rows }: { readonly rows: readonly VOIDataPoint[] }) {
  const words = useMemo(() => describeUnpublished(rows), [rows]);
  return words !== null && <span>{words}</span>;
}
