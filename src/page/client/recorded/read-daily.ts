import type { ApiResponse } from '#model/response.ts';
import type { Api } from '../create-api.ts';
import { ifOffered } from './if-offered.ts';
import { FUNDING_ROWS } from '../daily-rows.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { findCheckedSessions } from '#model/checks/checked-sessions.ts';

/** The responses of all products that cross-checks need, as screens read them. */
export async function readDaily(api: Api) {
  const [voi, funding, data] = await Promise.all([
    ifOffered(api.venue.chartVoi({})),
    ifOffered(api.venue.fundingRates({ limit: FUNDING_ROWS })),
    ifOffered(api.venue.productDataAll({})),
  ]);
  return { voi, funding, data, sessions: await readSettledSessions(api, voi, data) };
}

/** Product data of the settled sessions that prices are checked with. */
export async function readSettledSessions(
  api: Api,
  voi: ApiResponse<readonly VOIDataPoint[]> | undefined,
  data: ApiResponse<readonly ProductData[]> | undefined,
): Promise<readonly (readonly ProductData[])[]> {
  if (data === undefined) return [];
  const days = findCheckedSessions(voi?.value ?? [], data.value);
  const responses = await Promise.all(days.map((day) => ifOffered(api.venue.productDataAll({ day }))));
  return responses.flatMap((response) => (response === undefined ? [] : [response.value]));
}
