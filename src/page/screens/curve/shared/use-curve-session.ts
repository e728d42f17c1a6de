import { useQuery } from '@tanstack/react-query';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { ApiResponse } from '#model/response.ts';
import { dateOf, sessionBefore } from '#model/time/session.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';
import { useDueTimes } from '#page/panels/use-exchange-time.ts';

export type DataResponse = ApiResponse<readonly ProductData[]>;

/** A settled session changes only by a correction and by its open interest, which is published the next morning. */
export const SESSION_SECONDS = 900;
const DAILY = { everySeconds: SESSION_SECONDS } as const;

interface CurveSession {
  /** The product data of the session, of all products. */
  readonly query: PanelQuery<DataResponse>;
  /** Null until the exchange's time is known. */
  readonly session: Day | null;
  /** A newer session that should have settled and has not, such as a holiday. */
  readonly unsettled: Day | null;
}

/**
 * Reads the newest session in which months settled. By its day, and not the running one, because perpetuals settle on
 * weekends as well: only then are both settlements of the same minute, and one request is enough.
 */
export function useCurveSession(directory: readonly DeskProduct[]): CurveSession {
  const { queries } = useApi();
  const newest = useDueTimes()?.weekdays.productDataAll.newest ?? null;
  const before = newest && sessionBefore(newest, { everyDay: false });
  const read = (day: Day | null) => queries.venue.productDataAll(day === null ? {} : { day }, DAILY);
  const due = useQuery({ ...read(newest), enabled: newest !== null });
  const unsettled = newest !== null && isUnsettled(due.data?.value, newest, directory) ? newest : null;
  const earlier = useQuery({ ...read(before), enabled: unsettled !== null });
  const query = usePanelQuery(unsettled === null ? due : earlier);
  return { query, session: unsettled === null ? newest : before, unsettled };
}

/** Returns whether product data have no settlement of any month in the session. */
function isUnsettled(
  rows: readonly ProductData[] | undefined,
  session: Day,
  directory: readonly DeskProduct[],
): boolean {
  if (rows === undefined || directory.length === 0) return false;
  const dated = new Set(directory.filter(({ type }) => type === 'future').map(({ product_id: id }) => toNumber(id)));
  return !rows.some(
    ({ product_id: id, settlement_time: at }) => at !== null && dateOf(at) === session && dated.has(toNumber(id)),
  );
}
