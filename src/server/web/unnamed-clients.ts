import { API_PREFIX } from '#contract/desk/desk.ts';
import type { Handler, Log } from '#server/core/ports.ts';
import { arrivalOf, UNIX_PEER } from './arrival.ts';

const REASON =
  'A request came over the Unix socket without X-Forwarded-For, so all clients count as one network: limits, and waits after failed sign-ins, apply to all of them together. Configure the proxy in front of Perpdesk to send the address of its client in X-Forwarded-For.';

/** Says once in the log that nobody in front of the Unix socket names its clients. Probes, which have none, need not. */
export function warnOfUnnamedClients(handle: Handler, log: Log): Handler {
  let isSaid = false;
  return (request, response) => {
    if (!isSaid && arrivalOf(request).address === UNIX_PEER && request.url?.startsWith(API_PREFIX) === true) {
      isSaid = true;
      log('warn', 'clients not named', { reason: REASON });
    }
    return handle(request, response);
  };
}
