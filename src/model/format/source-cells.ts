import type { Source } from '../source.ts';

/** Columns with the source of a CSV row. Every row has them, since a file outlives its page. */
export const SOURCE_HEADING = ['endpoint', 'request', 'answered_at', 'received_at', 'age_s', 'from', 'request_id'];

export function toSourceCells({
  endpoint,
  target,
  answeredAt,
  receivedAt,
  ageSeconds,
  cache,
  requestId,
}: Source): readonly (string | number | null)[] {
  return [endpoint, `GET ${target}`, answeredAt, new Date(receivedAt).toISOString(), ageSeconds, cache, requestId];
}
