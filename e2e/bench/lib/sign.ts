import { signatureHeaders } from '../../../src/venue/conformance/probe.ts';

const connectionId = 'be7c';
const token = 'ab'.repeat(32);

/** As the venue reads it from `VENUE_CREDENTIAL`: a key to all accounts. */
export const CREDENTIAL = `${connectionId}:${token}`;

/** The headers of a private request, good for half a minute from now. */
export function signNow(target: string): Record<string, string> {
  const [path = '', rawQuery = ''] = target.split('?');
  return signatureHeaders({ connectionId, token }, path, rawQuery, new Date().toISOString());
}
