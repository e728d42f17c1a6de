import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Log } from '#server/core/ports.ts';
import type { AccessLogEntry } from './request-context.ts';

const FIRST_SERVER_ERROR = 500;

export function logRequest(log: Log, entry: AccessLogEntry): void {
  const isDeskFault = entry.outcome === 'desk-fault';
  const level = entry.status >= FIRST_SERVER_ERROR ? 'warn' : 'debug';
  log(isDeskFault ? 'error' : level, 'request', () => {
    const { error, ...fields } = entry;
    const reason = error instanceof Error ? reasonOf(entry, error) : undefined;
    return { ...fields, ...(reason !== undefined && { reason }) };
  });
}

/** An error may quote the exchange, which may quote the request: for a private endpoint the outcome has to be enough. */
function reasonOf({ endpoint, outcome }: AccessLogEntry, error: Error): string | undefined {
  if (outcome === 'desk-fault') return error.stack;
  const isPublic = ENDPOINT_NAMES.some((name) => name === endpoint && ENDPOINTS[name].access === 'public');
  return isPublic ? error.message : undefined;
}
