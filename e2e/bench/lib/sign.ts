import { signatureHeaders } from '../../../src/venue/conformance/probe.ts';

const connectionId = 'be7c';
const token = 'ab'.repeat(32);

/** The credential in the form of `VENUE_CREDENTIAL`: a key to all accounts. */
export const CREDENTIAL = `${connectionId}:${token}`;

/** Returns the headers of a private request, valid for half a minute from now. */
export function signNow(target: string): Record<string, string> {
  const [path = '', rawQuery = ''] = target.split('?');
  return signatureHeaders({ connectionId, token }, path, rawQuery, new Date().toISOString());
}
