import { useMemo } from 'react';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { describeUnpublished } from '#model/voi/unpublished-interest.ts';

/** Why a line of open interest has gaps. */
export function UnpublishedNote({ rows }: { readonly rows: readonly VOIDataPoint[] }) {
  const words = useMemo(() => describeUnpublished(rows), [rows]);
  return words !== null && <span>{words}</span>;
}
