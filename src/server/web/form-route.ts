import type { IncomingMessage } from 'node:http';
import type { LogoutRejection } from '#contract/desk/oidc.ts';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import { networkOf } from '#server/core/network.ts';
import { arrivalOf } from './arrival.ts';
import { sendFailure, sendProblem } from './problem-document.ts';
import { readBytes } from './read-body.ts';
import type { RequestContext, RouteHandler } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';
import { createUsage } from './request-limits.ts';

/** Enough for a provider that ends the sessions of all people at once; checking a signature takes much longer than other requests. */
const OF_ADDRESS = { atOnce: 32, burst: 1_000, perSecond: 20 } as const;
const MAX_FORM_BYTES = 65_536;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

const OK = 200;
const BAD_REQUEST = 400;

/** Handles a form that another server sends, as OAuth 2.0 has it: an empty response, or why it is rejected. */
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
