import { describe, expect, it } from 'vitest';
import type { Answer } from './evidence.ts';
import { createPseudonyms, disguiseAnswers } from './pseudonyms.ts';

const PSEUDONYMS = createPseudonyms([
  { kind: 'account', code: 'A.1', alias: 'a-1' },
  { kind: 'account', code: 'A.1-X', alias: 'a-2' },
  { kind: 'firm', code: 'A.1', alias: 'f-1' },
  { kind: 'connection', code: '3f', alias: 'c-1' },
]);

function answer(target: string, text: string): Answer {
  return {
    target,
    status: 200,
    headers: { 'etag': '"x"', 'content-type': 'application/json' },
    receivedAt: 0,
    bytes: new TextEncoder().encode(text),
  };
}

function disguise(...answers: readonly Answer[]): readonly (readonly [target: string, text: string])[] {
  return disguiseAnswers(answers, PSEUDONYMS).map(({ target, bytes }) => [target, new TextDecoder().decode(bytes)]);
}

describe('pseudonyms', () => {
  it('replace codes in their fields and leave every other byte as it was', () => {
    const text =
      '{ "account_id" : "A.1",\n"clearing_firm_code":"A.1","connection_id": "3f", "symbol":"A.1", "price": 3.10 , "id":"3f"}';
    expect(disguise(answer('/x', text))).toEqual([
      [
        '/x',
        '{ "account_id" : "a-1",\n"clearing_firm_code":"f-1","connection_id": "c-1", "symbol":"A.1", "price": 3.10 , "id":"3f"}',
      ],
    ]);
  });

  it('replace whole codes in sentences, the longest first', () => {
    expect(disguise(answer('/x', '["Not read: account_id=A.1-X; connection_id=3f.", "B3f is none"]'))[0]?.[1]).toBe(
      '["Not read: account_id=a-2; connection_id=c-1.", "B3f is none"]',
    );
  });

  it('stand in the requests of later pages, whose cursors may contain codes', () => {
    const pages = disguise(
      answer('/api/orders?account_id=A.1&limit=5', '{"data":[],"pagination":{"cursor":"QS4x%3D"}}'),
      answer('/api/orders?account_id=A.1&limit=5&cursor=QS4x%3D', '{"pagination":{"cursor":""}}'),
    );
    expect(pages).toEqual([
      ['/api/orders?account_id=a-1&limit=5', '{"data":[],"pagination":{"cursor":"cursor-1"}}'],
      ['/api/orders?account_id=a-1&limit=5&cursor=cursor-1', '{"pagination":{"cursor":""}}'],
    ]);
  });

  it('leave out hashes of the text before, and need one for each code', () => {
    expect(disguiseAnswers([answer('/x', '{}')], PSEUDONYMS)[0]?.headers).toEqual({
      'content-type': 'application/json',
    });
    expect(() => disguise(answer('/x', '{"account_id":"other"}'))).toThrow('Perpdesk has no pseudonym for an account');
    expect(disguise(answer('/api/orders?connection_id=3F', '{}'))[0]?.[0]).toBe('/api/orders?connection_id=c-1');
  });
});
