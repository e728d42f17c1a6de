import type { IncomingMessage } from 'node:http';
import { type LogoutRejection, OIDC_ROUTES } from '#contract/desk/oidc.ts';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import { networkOf } from '#server/core/network.ts';
import { type Redirect, SignInFailure, toFailureLocation } from '#server/core/sign-in-failure.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { arrivalOf } from './arrival.ts';
import { DESK_FAULT, sendFailure, sendProblem } from './error-responses.ts';
import { readBytes } from './read-body.ts';
import type { RequestContext, RouteHandler } from './request-context.ts';
import { securityHeaders } from './send-response.ts';
import { createUsage } from './request-limits.ts';
import { joinRoutes, type Routes } from './router.ts';

/** How an OpenID provider signs people in and out. */
interface ProviderSignIn {
  readonly begin: (context: RequestContext, rawQuery: string) => Promise<Redirect>;
  readonly finish: (context: RequestContext, rawQuery: string) => Promise<Redirect>;
  readonly signOut: (context: RequestContext) => Promise<Redirect>;
  readonly logout: (form: URLSearchParams, address: string) => Promise<LogoutRejection | null>;
}

/** Creates the contract’s routes for signing in and out at an OpenID provider. */
export function createOidcRoutes(
  { begin, finish, signOut, logout }: ProviderSignIn,
  elapsed: () => number,
): Routes['exact'] {
  const handlers: Readonly<Record<keyof typeof OIDC_ROUTES, (path: string) => RouteHandler>> = {
    beginSignIn: (path) => createRedirectRoute(path, (context) => begin(context, context.rawQuery)),
    finishSignIn: (path) => createRedirectRoute(path, (context) => finish(context, context.rawQuery)),
    signOutAtProvider: (path) => createRedirectRoute(path, signOut),
    backChannelLogout: (path) => createFormRoute(path, elapsed, logout),
  };
  return joinRoutes(
    ...Object.entries(OIDC_ROUTES).map(([name, { method, path }]) => ({
      [path]: { [method]: { needs: 'nothing' as const, handle: handlers[name as keyof typeof OIDC_ROUTES](path) } },
    })),
  );
}

/**
 * Enough for a provider that ends the sessions of all people at once; checking a signature takes much longer than other
 * requests.
 */
const OF_ADDRESS = { atOnce: 32, burst: 1_000, perSecond: 20 } as const;
const MAX_FORM_BYTES = 65_536;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

const OK = 200;
const BAD_REQUEST = 400;

/**
 * Handles a form that another server sends, as in OAuth 2.0. The response is empty, or says why the form is rejected.
 *
 * @internal Exported for its test.
 */
export function createFormRoute(
  endpoint: string,
  elapsed: () => number,
  perform: (form: URLSearchParams, address: string) => Promise<LogoutRejection | null>,
): RouteHandler {
  const usage = createUsage(OF_ADDRESS, elapsed);
  const respond = async (context: RequestContext, address: string): Promise<LogoutRejection | null> => {
    const form = await readForm(context.request);
    return typeof form === 'string' ? { error: 'invalid_request', error_description: form } : perform(form, address);
  };
  return async (context) => {
    const { request, response, requestId } = context;
    const { address } = arrivalOf(request);
    const network = networkOf(address);
    const waitMs = usage.take(network);
    if (waitMs > 0) {
      const problem = {
        type: 'too-soon',
        detail: 'Your network address has sent more forms than are checked at a time.',
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      } as const;
      return { endpoint, status: sendProblem(response, problem, requestId), outcome: problem.type };
    }
    try {
      const rejection = await respond(context, address);
      const [status, body] = rejection === null ? [OK, ''] : [BAD_REQUEST, JSON.stringify(rejection)];
      response
        .writeHead(status, {
          ...securityHeaders,
          'cache-control': 'no-store',
          [REQUEST_ID_HEADER]: requestId,
          'content-length': Buffer.byteLength(body),
          ...(body !== '' && { 'content-type': 'application/json' }),
        })
        .end(body);
      return { endpoint, status, outcome: rejection?.error ?? 'done' };
    } catch (error) {
      return { endpoint, ...sendFailure(response, error, requestId) };
    } finally {
      usage.release(network);
    }
  };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | string> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? ''))
    return 'The body must be a form, with the content type application/x-www-form-urlencoded.';
  const bytes = await readBytes(request, MAX_FORM_BYTES);
  return bytes === null
    ? `A form is limited to ${String(MAX_FORM_BYTES)} bytes.`
    : new URLSearchParams(bytes.toString('utf8'));
}

const SEE_OTHER = 303;

/**
 * Redirects a browser; after a failure, to the sign-in screen, which explains it.
 *
 * @internal Exported for its test.
 */
export function createRedirectRoute(
  endpoint: string,
  find: (context: RequestContext) => Promise<Redirect>,
): RouteHandler {
  return async (context) => {
    const { response, requestId } = context;
    const redirect = ({ location, cookies }: Redirect): void => {
      response
        .writeHead(SEE_OTHER, {
          ...securityHeaders,
          'cache-control': 'no-store',
          [REQUEST_ID_HEADER]: requestId,
          location,
          ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
        })
        .end();
    };
    try {
      redirect(await find(context));
      return { endpoint, status: SEE_OTHER, outcome: 'redirected' };
    } catch (error) {
      redirect(
        error instanceof SignInFailure ? error.redirect : { location: toFailureLocation('desk-failed'), cookies: [] },
      );
      return { endpoint, status: SEE_OTHER, outcome: outcomeOf(error), error };
    }
  };
}

function outcomeOf(error: unknown): string {
  if (error instanceof SignInFailure) return 'not-signed-in';
  return error instanceof VenueFailure ? error.problem.type : DESK_FAULT.type;
}
