import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import type { SignInFailureCode } from '#contract/desk/oidc.ts';
import { SignInFailure } from '#server/core/sign-in-failure.ts';

const FIRST_SERVER_ERROR = 500;

/** What a failure at the provider means to the person who signs in. */
export function classifyFailure(error: unknown): SignInFailureCode {
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied' ? 'refused' : 'provider-failed';
  if (isAway(error)) return 'provider-away';
  if (error instanceof ResponseBodyError) return 'provider-failed';
  return codeOf(error) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? 'clocks-differ' : 'not-trusted';
}

/** Whether there is no response at all, or one of a server that fails: it may pass by itself. */
export function isAway(error: unknown): boolean {
  // Why a fetch failed is in its cause; other errors of this type are mistakes of ours.
  if (error instanceof TypeError) return error.cause !== undefined;
  if (error instanceof ResponseBodyError) return error.status >= FIRST_SERVER_ERROR;
  if (error instanceof SignInFailure || codeOf(error) === 'OAUTH_TIMEOUT') return true;
  return error instanceof Error && error.cause instanceof Response && error.cause.status >= FIRST_SERVER_ERROR;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
