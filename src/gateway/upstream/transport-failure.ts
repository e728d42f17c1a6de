import { errors } from 'undici';
import { VenueFailure } from '../ports.ts';
import { tooLarge, unreadable } from './broken-answer.ts';
import { PassingFailure } from './passing-failure.ts';

/**
 * Why an exchange failed. Before the answer began, the venue was not reached; after, what it said is broken. What is
 * no fault of the venue or the way there comes back as it is.
 */
export function toFailure(error: unknown, began: boolean): unknown {
  if (error instanceof VenueFailure) return error;
  if (isTimeout(error)) return new VenueFailure({ type: 'venue-timeout', detail: 'The venue did not answer in time.' }, error);
  if (error instanceof errors.ResponseExceededMaxSizeError) return tooLarge();
  if (isNoHttp(error, began)) return unreadable('is not HTTP that can be read', error);
  const code = codeOf(error);
  if (code === null) return error;
  return began ? unreadable('broke off before its end', error) : toUnreached(error, code);
}

function isTimeout(error: unknown): boolean {
  const timeouts = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
  return timeouts.some((kind) => error instanceof kind) || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** A length that is not kept tells of headers that contradict each other, unless the body had begun. */
function isNoHttp(error: unknown, began: boolean): boolean {
  if (error instanceof errors.ResponseContentLengthMismatchError) return !began;
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
}

const NOT_TRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'it broke off the connection',
  UND_ERR_SOCKET: 'it broke off the connection',
  ENOTFOUND: 'its name is not known; check its address and this machine’s network',
  EAI_AGAIN: 'its name cannot be looked up; check this machine’s network',
  ENETUNREACH: 'no way leads there; check this machine’s network',
  EHOSTUNREACH: 'no way leads there; check this machine’s network',
};

function toUnreached(error: unknown, code: string): VenueFailure {
  const type = 'venue-unreachable';
  if (NOT_TRUSTED.test(code)) {
    const detail = `The venue’s certificate cannot be trusted (${code}), so nothing was sent: check its address, this machine’s clock, and what stands in between.`;
    return new VenueFailure({ type, detail }, error);
  }
  const why = WHY[code];
  const detail = `The venue cannot be reached${why === undefined ? '' : `: ${why}`} (${code}).`;
  return new PassingFailure({ type, detail }, error);
}

/** What comes from a socket has one; our own mistakes have none, or this one. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error instanceof errors.InvalidArgumentError) return null;
  return String(error.code);
}
