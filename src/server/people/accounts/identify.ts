import type { IncomingMessage } from 'node:http';
import { FORGERY_HEADER } from '#contract/desk/access.ts';
import { withIncluded } from '#contract/desk/roles.ts';
import { isRead } from '#server/core/is-read.ts';
import { ANYBODY } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import type { Identify, Viewer } from '#server/core/viewer.ts';
import { NO_ACCOUNTS, toEntitlement, toViewing } from './entitlement.ts';
import { forgeryTokenOf, hashOf, isSameSecret } from './secrets.ts';
import { NOBODY, type Viewers } from './viewers.ts';

/** The prefix makes browsers refuse a cookie of this name that another host or an unprotected connection sets. */
export const SESSION_COOKIE = '__Host-perpdesk';

const NEITHER: Problem = {
  type: 'not-allowed',
  detail: 'The request has both a session and an API token. Send only one of them.',
};
const TWICE: Problem = {
  type: 'not-signed-in',
  detail: 'The request has several session cookies. Delete the cookies of this site and sign in again.',
};
const NO_TOKEN: Problem = {
  type: 'not-signed-in',
  detail: 'This API token does not exist, has expired or was revoked. Create a new one on the Account screen.',
};
const NOT_BEARER: Problem = {
  type: 'not-signed-in',
  detail: 'The Authorization header is not valid. Send "Bearer" and an API token of this Perpdesk.',
};
const FORGED: Problem = {
  type: 'cross-site',
  detail: `The request has no valid CSRF token in "${FORGERY_HEADER}", so nothing was changed. Reload the page and try again.`,
};
const NO_ORIGIN: Problem = {
  type: 'cross-site',
  detail:
    'The request does not say which page sends it, so nothing was changed. Send Sec-Fetch-Site or Origin with each action of a session.',
};

/** Who sends a request, by the cookie of a session or by a token. */
export function createIdentify(viewers: Pick<Viewers, 'ofSession' | 'ofToken'>): Identify {
  const identify = (request: IncomingMessage): Viewer | Problem => {
    const { authorization } = request.headers;
    const cookies = cookiesOf(request, SESSION_COOKIE);
    const [secret] = cookies;
    if (authorization !== undefined) return secret === undefined ? identifyToken(viewers, authorization) : NEITHER;
    if (secret === undefined) return NOBODY;
    if (cookies.length > 1) return TWICE;
    const hash = hashOf(secret);
    const viewer = viewers.ofSession(hash);
    if (viewer === null) return NOBODY;
    return findForgery(request, forgeryTokenOf(hash)) ?? viewer;
  };
  return (request) => Promise.resolve(identify(request));
}

function identifyToken(viewers: Pick<Viewers, 'ofToken'>, authorization: string): Viewer | Problem {
  const token = /^Bearer ([\w~+/.-]{1,256}=*)$/i.exec(authorization)?.[1];
  if (token === undefined) return NOT_BEARER;
  return viewers.ofToken(hashOf(token)) ?? NO_TOKEN;
}

/** Why a request of a session may have been sent by a page of another site. The origin itself has been compared already. */
export function findForgery(request: IncomingMessage, expected: string | null): Problem | null {
  if (isRead(request)) return null;
  const { headers } = request;
  if (headers['sec-fetch-site'] !== 'same-origin' && headers.origin === undefined) return NO_ORIGIN;
  const token = headers[FORGERY_HEADER];
  return typeof token === 'string' && expected !== null && isSameSecret(token, expected) ? null : FORGED;
}

/** The values of a cookie, however many were sent. */
export function cookiesOf(request: IncomingMessage, name: string): readonly string[] {
  return cookiesThatBegin(request, name).flatMap(([found, value]) => (found === name ? [value] : []));
}

/** Names and values of all cookies whose names begin so. */
export function cookiesThatBegin(
  { headers: { cookie = '' } }: IncomingMessage,
  start: string,
): readonly (readonly [name: string, value: string])[] {
  if (!cookie.includes(start)) return [];
  return cookie.split(';').flatMap((part) => {
    const pair = part.trim();
    const end = pair.indexOf('=');
    return pair.startsWith(start) && end >= start.length ? [[pair.slice(0, end), pair.slice(end + 1)] as const] : [];
  });
}

const METRICS_PATH = '/metrics';

/** Lets a program with this token read the metrics, and nothing else, however people sign in. */
export interface MetricsToken {
  readonly wrap: (identify: Identify) => Identify;
  /** Null: there is none. */
  readonly change: (token: string | null) => void;
}

/** It needs no role anywhere else, since it is known on this path only. */
const METRICS_VIEWER: Viewer = {
  id: 'metrics',
  name: 'metrics',
  person: '',
  payer: ANYBODY,
  ...toViewing(toEntitlement([], NO_ACCOUNTS)),
  roles: withIncluded(['admin']),
  ended: new AbortController().signal,
};

export function createMetricsToken(first: string | null): MetricsToken {
  let token = first;
  const isRight = ({ url = '', headers: { authorization, cookie } }: IncomingMessage): boolean => {
    if (token === null || authorization === undefined || cookie !== undefined || url.split('?', 1)[0] !== METRICS_PATH)
      return false;
    const given = /^Bearer (.+)$/i.exec(authorization)?.[1];
    return given !== undefined && isSameSecret(given, token);
  };
  return {
    wrap: (identify) => (request) => (isRight(request) ? Promise.resolve(METRICS_VIEWER) : identify(request)),
    change: (next) => {
      token = next;
    },
  };
}
