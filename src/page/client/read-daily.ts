import { ProblemError, UnexpectedResponseError } from './errors.ts';
import type { ApiResponse } from '#model/response.ts';
import { FUNDING_ROWS, type Api } from './create-api.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { findCheckedSessions } from '#model/checks/price-evidence.ts';

/**
 * Resolves with the response, or undefined if the exchange does not offer it or does not know the product. Rejects on
 * any other failure, since that may be temporary.
 */
export async function ifOffered<Response>(reading: Promise<Response>): Promise<Response | undefined> {
  try {
    return await reading;
  } catch (error) {
    const status =
      error instanceof ProblemError
        ? error.document.status
        : error instanceof UnexpectedResponseError
          ? error.status
          : null;
    if (status === 400 || status === 404) return undefined;
    throw error;
  }
}

/** Reads the responses for all products that cross-checks need, exactly as screens read them. */
export async function readDaily(api: Api) {
  const [voi, funding, data] = await Promise.all([
    ifOffered(api.venue.chartVoi({})),
    ifOffered(api.venue.fundingRates({ limit: FUNDING_ROWS })),
    ifOffered(api.venue.productDataAll({})),
  ]);
  return { voi, funding, data, sessions: await readSettledSessions(api, voi, data) };
}

/** Reads product data of the settled sessions that prices are checked against. */
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
