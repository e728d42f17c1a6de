import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  AUTH_TIMESTAMP_HEADER,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  type RequestToSign,
} from '#contract/exchange/signing.ts';
import { createSigner } from './signer.ts';

interface Vector {
  readonly title: string;
  readonly request: RequestToSign;
  readonly token: string;
  readonly signature: string;
}

const file = readFileSync(new URL('../../../contract/exchange/signing.vectors.json', import.meta.url), 'utf8');
const vectors = (JSON.parse(file) as { readonly vectors: readonly Vector[] }).vectors.filter(
  ({ request }) => request.method === 'GET',
);

describe('the headers of a private request', () => {
  it.each(vectors)('match the test vector: $title', ({ request, token, signature }) => {
    expect(createSigner(request.connectionId, token).sign(request)).toEqual({
      [CONNECTION_ID_HEADER]: request.connectionId,
      [AUTH_TIMESTAMP_HEADER]: request.timestamp,
      [SIGNATURE_HEADER]: signature,
    });
  });

  it('are tested with several vectors', () => {
    expect(vectors.length).toBeGreaterThan(2);
  });

  it('are refused for a path that would not be sent as it was signed', () => {
    const signer = createSigner('3f', 'ab'.repeat(32));
    expect(() => signer.sign({ path: '/orders?x', rawQuery: '', timestamp: '2026-08-17T23:45:21.496Z' })).toThrow(
      RangeError,
    );
    expect(() =>
      signer.sign({ path: '/orders', rawQuery: 'cursor=a b', timestamp: '2026-08-17T23:45:21.496Z' }),
    ).toThrow(RangeError);
  });

  it('come from a signer that never prints its key', () => {
    const token = 'c0ffee'.padEnd(64, '7');
    const signer = createSigner('3f', token);
    const printed = [
      inspect(signer, { depth: 9, showHidden: true }),
      JSON.stringify(signer),
      Object.values(signer).join(),
    ].join();
    expect(printed).not.toContain('c0ffee');
  });
});
