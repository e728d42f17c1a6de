import type { CountedDeviation, DeviatingRow, ParseResult, RejectedRow } from '#contract/parse/parse.ts';
import type { Source } from '#model/source.ts';
import { InvalidResponseError } from './errors.ts';
import type { Cadence, RawResponse } from './http-client.ts';

/** A parsed response: its value, its deviations from the interface, and its provenance. */
export interface ApiResponse<T> extends Source {
  /** The valid rows, or the one object. */
  readonly value: T;
  /** Invalid rows as received: shown and counted, never used in a calculation. */
  readonly setAside: readonly RejectedRow[];
  readonly deviations: readonly CountedDeviation[];
  /** All that deviate, where each does so by itself. */
  readonly deviatingRows?: readonly DeviatingRow[] | undefined;
  /** How long from its receipt the gateway will return the same again; null where it does not say. */
  readonly freshSeconds: number | null;
  /** Type of the problem that made the gateway serve a stale response; null where it is not stale. */
  readonly staleBecause: string | null;
  readonly tag: string | null;
  /** How often it is pushed; undefined for one that was requested. */
  readonly cadence?: Cadence | undefined;
}

export interface ApiRequest<T> {
  readonly endpoint: string;
  readonly target: string;
  /** `venueTime`: the exchange's time in epoch milliseconds; null if unknown. */
  readonly parse: (text: string, venueTime: number | null) => ParseResult<T>;
  /** Belongs to an account: the browser must not store it. */
  readonly isPrivate: boolean;
  /** The desk responds without waiting for the venue. */
  readonly isLocal?: boolean;
}

/** Parses tolerantly. A text with the tag of the previous one is not parsed again, so that rows keep their identity. */
export function toApiResponse<T>(
  { endpoint, target, parse }: Omit<ApiRequest<T>, 'isPrivate'>,
  received: RawResponse,
  previous?: ApiResponse<T>,
): ApiResponse<T> {
  const { text, venueTime, ...source } = received;
  const { value, setAside, deviations, deviatingRows } = isSame(received, previous)
    ? previous
    : parse(text ?? '', venueTime);
  if (value === null) throw new InvalidResponseError(deviations, text ?? '');
  const cache = source.cache === 'unknown' && endpoint.startsWith('desk/') ? 'computed' : source.cache;
  return { ...source, cache, endpoint, target, value, setAside, deviations, deviatingRows };
}

function isSame<T>({ text, tag }: RawResponse, previous: ApiResponse<T> | undefined): previous is ApiResponse<T> {
  return previous !== undefined && (text === null || (tag !== null && tag === previous.tag));
}
