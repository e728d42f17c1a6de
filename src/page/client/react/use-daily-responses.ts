import { useQuery } from '@tanstack/react-query';
import { FUNDING_ROWS } from '../create-api.ts';
import { useApi } from './use-api.tsx';
import { useSettledSessions } from './use-settled-sessions.ts';

/** The data that specifications and daily values are checked against change daily. */
const daily = { everySeconds: 900 };

/**
 * Reads the responses for all products that cross-checks need, for screens without live prices. All of them share these
 * reads.
 */
export function useDailyResponses(enabled: boolean, dataEverySeconds = daily.everySeconds) {
  const { queries } = useApi();
  const voi = useQuery({ ...queries.venue.chartVoi({}, daily), enabled });
  const funding = useQuery({ ...queries.venue.fundingRates({ limit: FUNDING_ROWS }, daily), enabled });
  const data = useQuery({ ...queries.venue.productDataAll({}, { everySeconds: dataEverySeconds }), enabled });
  const sessions = useSettledSessions(voi, data);
  return {
    voi: voi.data,
    funding: funding.data,
    data: data.data,
    sessions,
    isRead: [voi, funding, data].every((query) => query.data !== undefined || query.error !== null),
  };
}
