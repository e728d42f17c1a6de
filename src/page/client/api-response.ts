import type { ParseResult } from '#contract/parse/parse.ts';
import type { ApiResponse } from '#model/response.ts';
import { InvalidResponseError } from './errors.ts';
import type { RawResponse } from './http-client.ts';

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
