import { toDueTime, type QueryState, type RefreshPolicy } from './freshness.ts';

/** When newer data are expected, in epoch milliseconds: what is pushed is read at the gateway's cadence, which panels show. */
export function toExpectedTime(query: QueryState, policy: RefreshPolicy): number {
  const { data, error } = query;
  if (error !== null || data?.cadence === undefined) return toDueTime(query, policy);
  return data.receivedAt + (data.cadence.everySeconds - (data.ageSeconds ?? 0)) * 1_000;
}
