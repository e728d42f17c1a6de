import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskJournal, DeskJournalOrder } from '#contract/desk/journal.ts';
import type { OrderId } from '#contract/exchange/ids.ts';
import { toMillis } from '#model/time/session.ts';
import { toLifeChanges, toLifeLine, type LifeChange, type LifeLine } from '#model/orders/order-life.ts';
import { type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';

/** A period without readings, in epoch milliseconds. */
export interface LifeGap {
  readonly from: number;
  readonly to: number;
}

export interface LifeReading {
  readonly query: PanelQuery<ApiResponse<DeskJournalOrder>>;
  /** Oldest first. */
  readonly changes: readonly LifeChange[];
  readonly line: LifeLine | null;
  /** Null until they have been read, and if reading them fails. */
  readonly gaps: readonly LifeGap[] | null;
  readonly haveGapsFailed: boolean;
  readonly journal: ApiResponse<DeskJournal> | undefined;
}

/** Gaps concern the whole journal and are rare, so they are read less often than the changes. */
const GAP_SECONDS = 60;

export const LIFE_SECONDS = DESK_ENDPOINTS.journalOrder.reuseSeconds;

export function useLife(id: OrderId): LifeReading {
  const { queries } = useApi();
  const response = useQuery(queries.desk.journalOrder({ order_id: id }));
  const query = usePanelQuery(response);
  const life = query.data?.value;
  const changes = useMemo(() => (life === undefined ? [] : toLifeChanges(life)), [life]);
  const line = useMemo(() => toLifeLine(changes, life?.read_to ?? null), [changes, life]);
  const start = changes[0]?.readBy;
  const { data: journal, error } = useQuery({
    ...queries.desk.journal(start === undefined ? {} : { begin_time: start }, { everySeconds: GAP_SECONDS }),
    enabled: start !== undefined,
  });
  const gaps = useMemo(
    () => (journal === undefined || line === null ? null : toGaps(journal.value, line)),
    [journal, line],
  );
  return { query, changes, line, gaps, haveGapsFailed: error !== null, journal };
}

/** Returns the gaps within the line, clipped to it. */
function toGaps({ gaps }: DeskJournal, { start, end }: LifeLine): readonly LifeGap[] {
  return gaps
    .map(({ from, to }) => ({ from: Math.max(start, toMillis(from)), to: Math.min(end, toMillis(to)) }))
    .filter(({ from, to }) => from < to);
}
