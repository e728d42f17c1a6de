import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookiesOf } from './identify.ts';
import { isSameSecret, newId } from './secrets.ts';

/** Browsers in which a person has signed in before: a cookie says so, which only this desk can have made. */
export interface KnownDevices {
  /** Whether the browser says that somebody has signed in before, which need not be true. */
  readonly isClaimed: (request: IncomingMessage) => boolean;
  /** What names the browser if it belongs to this person; null if it does not. */
  readonly find: (request: IncomingMessage, personId: string) => string | null;
  /** The cookie of a browser in which this person has just signed in. */
  readonly toCookie: (personId: string) => string;
}

const COOKIE = '__Host-perpdesk-device';
const YEAR_S = 365 * 86_400;

export function createKnownDevices(key: string): KnownDevices {
  const sign = (personId: string, device: string): string =>
    createHmac('sha256', key).update(`known device\n${personId}\n${device}`).digest('base64url');
  return {
    isClaimed: (request) => cookiesOf(request, COOKIE).length > 0,
    find: (request, personId) => {
      const [device = '', signature = ''] = (cookiesOf(request, COOKIE)[0] ?? '').split('.');
      return device !== '' && isSameSecret(signature, sign(personId, device)) ? device : null;
    },
    toCookie: (personId) => {
      const device = newId();
      return `${COOKIE}=${device}.${sign(personId, device)}; Path=/; Max-Age=${String(YEAR_S)}; HttpOnly; Secure; SameSite=Lax`;
    },
  };
}
