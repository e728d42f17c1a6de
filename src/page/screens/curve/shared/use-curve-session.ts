import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { formatDay } from '#model/format/format-time.ts';
import type { ApiResponse } from '#model/response.ts';
import type { DueTimes } from '#model/time/overdue.ts';
import { dateOf } from '#model/time/session.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { type PanelQuery, type Stamp, usePanelQuery } from '#page/panels/panel-body.tsx';
import { useDueTimes } from '#page/panels/use-exchange-time.ts';

export type DataResponse = ApiResponse<readonly ProductData[]>;

/** A settlement is seen within this time. */
export const SESSION_SECONDS = 300;
const CURRENT = { everySeconds: SESSION_SECONDS } as const;
/** A settled session changes only by a correction and by its open interest, which is published the next morning. */
const SETTLED = { everySeconds: 900 } as const;

/** The newest session in which months settled. Its age is that of the current product data, which name it. */
export interface CurveSession extends Stamp {
  /** Null if no month has settled. */
  readonly session: Day | null;
  /** The product data with the settlements of that session, of all products. */
  readonly response: DataResponse;
  /** Why the open interest in the response is not that of the session, or null. */
  readonly interestMissingBecause: string | null;
  /** A newer session that should have settled and has not, such as a holiday. */
  readonly unsettled: Day | null;
}

/**
 * Reads the newest session in which months settled. The current product data have it, except after a weekend, on which
 * only perpetuals settle: then the product data of that session are read as well, so that both settlements are of the
 * same minute.
 */
export function useCurveSession(directory: readonly DeskProduct[]): PanelQuery<CurveSession> {
  const { queries } = useApi();
  const due = useDueTimes();
  const current = usePanelQuery(useQuery(queries.venue.productDataAll({}, CURRENT)));
  const rows = current.data?.value;
  const { session, needsDay } = useMemo(() => toNewest(rows, directory), [rows, directory]);
  const ofDay = usePanelQuery(
    useQuery({ ...queries.venue.productDataAll(session === null ? {} : { day: session }, SETTLED), enabled: needsDay }),
  );
  const response = needsDay ? ofDay.data : current.data;
  const data = useMemo(() => {
    if (current.data === undefined || response === undefined || directory.length === 0) return undefined;
    const interestMissingBecause = needsDay || session === null ? null : whyNoInterest(session, due);
    return { ...current.data, session, response, interestMissingBecause, unsettled: findUnsettled(session, due) };
  }, [current.data, directory, session, needsDay, response, due]);
  const { error, errorUpdatedAt, isFetching, refetch } = needsDay && response === undefined ? ofDay : current;
  return { data, error, errorUpdatedAt, isFetching, refetch };
}

function toNewest(rows: readonly ProductData[] | undefined, directory: readonly DeskProduct[]) {
  const [session, ofPerpetuals] = [findNewest(rows, directory, 'future'), findNewest(rows, directory, 'perpetual')];
  return { session, needsDay: session !== null && ofPerpetuals !== null && ofPerpetuals !== session };
}

/** Until the open interest of a session is due, current product data have that of the session before. */
function whyNoInterest(session: Day, due: DueTimes | null): string | null {
  return due !== null && session <= due.weekdays.chartVoi.newest
    ? null
    : `Open interest of ${formatDay(session)} is published the following morning.`;
}

function findUnsettled(session: Day | null, due: DueTimes | null): Day | null {
  const newest = due?.weekdays.productDataAll.newest ?? null;
  return session !== null && newest !== null && session < newest ? newest : null;
}

/** Finds the newest session in which a product of a type settled. */
function findNewest(
  rows: readonly ProductData[] | undefined,
  directory: readonly DeskProduct[],
  type: string,
): Day | null {
  const ids = new Set(directory.flatMap((product) => (product.type === type ? [toNumber(product.product_id)] : [])));
  const days = (rows ?? []).flatMap(({ product_id: id, settlement_time: at }) =>
    at !== null && ids.has(toNumber(id)) ? [dateOf(at)] : [],
  );
  return days.toSorted().at(-1) ?? null;
}
