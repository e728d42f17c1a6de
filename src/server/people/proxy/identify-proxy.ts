import type { Log } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import type { Identify } from '#server/core/viewer.ts';
import { cookiesOf, findForgery, SESSION_COOKIE } from '../accounts/identify.ts';
import type { AddressOf } from '../accounts/requesting.ts';
import { NOBODY } from '../accounts/viewers.ts';
import type { ProvidedViewers } from './provided-viewers.ts';
import type { ReadVouched } from './read-vouched.ts';

interface IdentifyParts {
  readonly read: ReadVouched;
  readonly viewers: ProvidedViewers;
  readonly addressOf: AddressOf;
  readonly log: Log;
}

const BESIDE_SESSION = 'The request has a session cookie of Perpdesk in addition to the identity from the proxy.';

/** Who sends a request, as the proxy in front says. */
export function createProxyIdentify({ read, viewers, addressOf, log }: IdentifyParts): Identify {
  return async (request) => {
    const refuse = (detail: string): Problem => {
      log('warn', 'proxy rejected', { reason: detail, address: addressOf(request) });
      return { type: 'not-allowed', detail: `${detail} Check the configuration of the proxy in front of Perpdesk.` };
    };
    const found = await read(request);
    if (found === null) return NOBODY;
    if (typeof found === 'string') return refuse(found);
    if (cookiesOf(request, SESSION_COOKIE).length > 0) return refuse(BESIDE_SESSION);
    const viewer = viewers.viewerOf(found, addressOf(request));
    return findForgery(request, viewers.identityOf(viewer)?.forgeryToken ?? null) ?? viewer;
  };
}
