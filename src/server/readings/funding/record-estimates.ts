import { formatInstant, parseInstant, toEpochMillis, type EpochNanos } from '#contract/exchange/instant.ts';
import type { VenueRequest, Venue, VenueResponse } from '#server/core/ports.ts';
import { toRate, type EstimateStore } from './estimate-store.ts';

/** Wraps the exchange so that every estimate it returns is stored. */
export function recordEstimates(venue: Venue, store: EstimateStore): Venue {
  return {
    ...venue,
    read: async (request, options) => {
      const response = await venue.read(request, options);
      if (request.name === 'fundingEstimated') record(store, request, response, venue.state().clockOffsetMs ?? 0);
      return response;
    },
  };
}

function record(
  store: EstimateStore,
  { pathParameters }: VenueRequest,
  { body, answeredAt }: VenueResponse,
  offsetMs: number,
): void {
  const text = body.toString();
  const row = parse(text);
  const [start, end] = [parseTime(row['interval_start']), parseTime(row['interval_end'])];
  // An unreadable estimate is not stored; the screen reports it.
  if (start === null || end === null || start >= end) return;
  const estimate = toRate(text);
  if (estimate === null) return;
  const share = (answeredAt + offsetMs - toEpochMillis(start)) / (toEpochMillis(end) - toEpochMillis(start));
  if (share < 0 || share > 1) return;
  void store.put({
    baseSymbol: pathParameters['base_symbol'] ?? '',
    endAt: formatInstant(end),
    share,
    estimate,
    readAt: answeredAt,
  });
}

function parseTime(value: unknown): EpochNanos | null {
  return typeof value === 'string' ? parseInstant(value) : null;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
