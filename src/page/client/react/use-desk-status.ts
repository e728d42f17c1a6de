import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import {
  explains,
  isOfDesk,
  type OutageKind,
  toDeskOutage,
  toExchangeOutage,
  toOtherRates,
  toRoundedOffset,
  toVenueTime,
} from '../desk-status.ts';
import type { ApiResponse } from '#model/response.ts';
import type { OtherRate } from '#model/funding/funding-rate.ts';
import { useApi } from './use-api.tsx';

/**
 * Returns a function that converts the browser's time to the exchange's, by the status that the connection indicator
 * keeps current.
 */
export function useVenueTime(): (browserNow: number) => number {
  const client = useQueryClient();
  const { queries } = useApi();
  return useCallback(
    (browserNow) => toVenueTime(client.getQueryData(queries.desk.status({}).queryKey), browserNow),
    [client, queries],
  );
}

/** Like `useVenueTime`, but returns null while the exchange's time is unknown. */
export function useKnownVenueTime(): (browserNow: number) => number | null {
  const client = useQueryClient();
  const { queries } = useApi();
  return useCallback(
    (browserNow) => {
      const status = client.getQueryData(queries.desk.status({}).queryKey);
      return status === undefined ? null : toVenueTime(status, browserNow);
    },
    [client, queries],
  );
}

/** Returns how far the exchange's clock is ahead of the server's, in milliseconds, rounded to a second. */
export function useVenueOffset(): number {
  const { queries } = useApi();
  return useQuery({ ...queries.desk.status({}), select: toRoundedOffset }).data ?? 0;
}

/** Returns the newest settled rates that the exchange has published with other values, too. */
export function useOtherRates(): readonly OtherRate[] {
  const { queries } = useApi();
  return useQuery({ ...queries.desk.status({}), select: toOtherRates }).data ?? NONE;
}

const NONE: readonly OtherRate[] = [];

/** Returns the current outage, or null. Renders again only when it changes. */
export function useOutage(): OutageKind | null {
  const { queries } = useApi();
  const { data, error, isPending } = useQuery({ ...queries.desk.status({}), select: toExchangeOutage });
  const [last, setLast] = useState(error);
  // Until a first read succeeds, each attempt starts without the error of the one before, so that error is kept here.
  const cause = isPending ? last : error;
  if (cause !== last) setLast(cause);
  return cause === null ? (data ?? null) : toDeskOutage(cause);
}

/**
 * Returns whether an outage keeps a response from being current. While only the exchange is away, Perpdesk’s own records
 * are; what is settled always is.
 */
export function useIsOutdated({ isOwn, cache }: Pick<ApiResponse<unknown>, 'isOwn' | 'cache'>): boolean {
  const kind = useOutage();
  return kind !== null && cache !== 'disk-hit' && (isOwn !== true || isOfDesk(kind));
}

interface ExplainOptions {
  /** Whether the status is read again after this failure, as it is after a failed query. */
  readonly isStatusReread?: boolean;
}

/**
 * Returns whether the outage bar explains why a read failed, or may do so in a moment. Panels that spoke sooner, or
 * after the outage ended, would each repeat it. Renders again with each status.
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
