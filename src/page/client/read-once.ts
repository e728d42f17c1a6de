import { toRetryTime, type QueryState } from './freshness.ts';
import { NO_REFETCH } from './refetch-options.ts';

/** For what is Perpdesk’s own and read once. A read that failed is retried, as screens say. */
export const READ_ONCE = { ...NO_REFETCH, refetchInterval: toRetryInterval } as const;

function toRetryInterval({
  state: { error, errorUpdatedAt },
}: {
  readonly state: Pick<QueryState, 'error' | 'errorUpdatedAt'>;
}): number | false {
  if (error === null) return false;
  const delay = toRetryTime(error, errorUpdatedAt) - errorUpdatedAt;
  return Number.isFinite(delay) && delay;
}
