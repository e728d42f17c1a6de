import { createHmac } from 'node:crypto';
import {
  AUTH_TIMESTAMP_HEADER,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  toCanonicalString,
} from '../../../src/contract/signing.ts';

const CONNECTION_ID = 'be7c';
const TOKEN = 'ab'.repeat(32);

/** As the venue's `--credential` wants it: a key to all accounts. */
export const CREDENTIAL = `${CONNECTION_ID}:${TOKEN}`;

/** The headers of a private request, good for half a minute from now. */
export function signNow(target: string): Record<string, string> {
  const [path = '', rawQuery = ''] = target.split('?');
  const timestamp = new Date().toISOString();
  const message = toCanonicalString({ method: 'GET', path, rawQuery, timestamp, connectionId: CONNECTION_ID });
  return {
    [AUTH_TIMESTAMP_HEADER]: timestamp,
    [CONNECTION_ID_HEADER]: CONNECTION_ID,
    [SIGNATURE_HEADER]: createHmac('sha256', TOKEN).update(message).digest('base64'),
  };
}
