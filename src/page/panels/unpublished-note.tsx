import { useMemo } from 'react';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { describeLoneInterest } from '#model/checks/earlier-sessions.ts';
import { describeMissingDays, describeUnpublished } from '#model/voi/voi-bars.ts';

interface UnpublishedNoteProps {
  readonly rows: readonly VOIDataPoint[];
  /** Whether the products trade on every day of the week. */
  readonly everyDay: boolean;
}

/** Says why bars and a line of open interest have gaps, which days sums lack, and which days are in doubt. */
export function UnpublishedNote({ rows, everyDay }: UnpublishedNoteProps) {
  const words = useMemo(
    () =>
      [describeMissingDays(rows, everyDay), describeUnpublished(rows), describeLoneInterest(rows, { everyDay })]
        .filter((text) => text !== null)
        .join(' '),
    [rows, everyDay],
  );
  return words !== '' && <span>{words}</span>;
}
