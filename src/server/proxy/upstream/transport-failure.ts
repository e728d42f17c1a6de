import { errors } from 'undici';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { tooLarge, unreadable, TransientFailure } from './response.ts';

/**
 * Why a request failed. Before the response began, the exchange was not reached; after, its response is broken. An error
 * that is neither the exchange's nor the network's is returned unchanged.
 */
export function toFailure(error: unknown, began: boolean): unknown {
  if (error instanceof VenueFailure) return error;
  if (isTimeout(error))
    return new VenueFailure({ type: 'venue-timeout', detail: 'The exchange did not respond in time.' }, error);
  if (error instanceof errors.ResponseExceededMaxSizeError) return tooLarge();
  if (isNoHttp(error, began)) return unreadable('is not valid HTTP', error);
  const code = codeOf(error);
  if (code === null) return error;
  return began ? unreadable('was cut off', error) : toUnreached(error, code);
}

function isTimeout(error: unknown): boolean {
  const timeouts = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
  return (
    timeouts.some((kind) => error instanceof kind) || (error instanceof DOMException && error.name === 'TimeoutError')
  );
}

/** Before the body began, a length mismatch means that the headers contradict each other. */
function isNoHttp(error: unknown, began: boolean): boolean {
  if (error instanceof errors.ResponseContentLengthMismatchError) return !began;
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
}

const NOT_TRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening at its address',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'its host name does not exist; check its address and this machine’s network',
  EAI_AGAIN: 'its host name cannot be resolved; check this machine’s network',
  ENETUNREACH: 'there is no route to it; check this machine’s network',
  EHOSTUNREACH: 'there is no route to it; check this machine’s network',
};

function toUnreached(error: unknown, code: string): VenueFailure {
  const type = 'venue-unreachable';
  if (NOT_TRUSTED.test(code)) {
    const detail = `The exchange’s certificate is not trusted (${code}), so no request was sent: check its address, this machine’s clock, and any proxy in between.`;
    return new VenueFailure({ type, detail }, error);
  }
  const why = WHY[code];
  const detail = `The exchange is unreachable${why === undefined ? '' : `: ${why}`} (${code}).`;
  return new TransientFailure({ type, detail }, error);
}

/** Socket errors have a code; our own mistakes have none, or undici's for invalid arguments. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error instanceof errors.InvalidArgumentError) return null;
  return String(error.code);
}
