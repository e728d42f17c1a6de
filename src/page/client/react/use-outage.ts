import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { explains, toDeskOutage, toExchangeOutage, type OutageKind } from '../outage.ts';
import { useApi } from './use-api.tsx';

/** Null where there is no outage. Renders again only when that changes. */
export function useOutage(): OutageKind | null {
  const { queries } = useApi();
  const { data, error, isPending } = useQuery({ ...queries.desk.status({}), select: toExchangeOutage });
  const [last, setLast] = useState(error);
  // Where no read has succeeded yet, the next one begins without the error of the last.
  const cause = isPending ? last : error;
  if (cause !== last) setLast(cause);
  return cause === null ? (data ?? null) : toDeskOutage(cause);
}

interface ExplainOptions {
  /** Whether the status is read again after such a failure, as it is after that of a query. */
  readonly isStatusReread?: boolean;
}

/**
 * Whether the bar of an outage explains why a read failed, or may do so in a moment: panels that spoke before the status is
 * read again, or after the end for a failure of the outage, would each say the same. Renders again with each status.
 */
export function useExplainedByOutage(
  cause: Error | string | null,
  failedAt: number,
  { isStatusReread = true }: ExplainOptions = {},
): boolean {
  const { queries } = useApi();
  const { dataUpdatedAt, errorUpdatedAt } = useQuery(queries.desk.status({}));
  const kind = useOutage();
  const isAwaited = isStatusReread && Math.max(dataUpdatedAt, errorUpdatedAt) < failedAt;
  const [explainedAt, setExplainedAt] = useState<number | null>(null);
  const isExplained = kind !== null && explains(kind, cause);
  if (isExplained && explainedAt !== failedAt) setExplainedAt(failedAt);
  return isExplained || (explains(null, cause) && (isAwaited || explainedAt === failedAt));
}
