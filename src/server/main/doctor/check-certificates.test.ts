import { expect, test } from 'vitest';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { checkOwnCertificate } from './check-certificates.ts';

const NOW = Date.parse('2026-08-17T12:00:00Z');
const DAY_MS = 86_400_000;
const { cert } = makeSelfSigned(NOW, 'desk.example', 90);
const other = makeSelfSigned(NOW, 'other.example', 90).cert;

test.each([
  ['for its host', cert, 'https://desk.example', NOW, 'ok', /^It is valid until 2026-11-15\.$/],
  ['without an address', cert, null, NOW, 'ok', /^It is valid until/],
  ['for another host', cert, 'https://desk2.example', NOW, 'failed', /^It is not for desk2\.example/],
  ['by its address', cert, 'https://127.0.0.1:8443', NOW, 'ok', /^It is valid until/],
  ['that ends soon', cert, 'https://desk.example', NOW + 80 * DAY_MS, 'warning', /^It expires in 10 days: renew it\.$/],
  ['that has ended', cert, 'https://desk.example', NOW + 91 * DAY_MS, 'failed', /expired on Nov 15 .* Renew it/],
  ['before its time', cert, 'https://desk.example', NOW - 2 * DAY_MS, 'failed', /^It is not valid before/],
  ['with a chain out of order', cert + other, 'https://desk.example', NOW, 'failed', /^Certificate 2 .* did not issue/],
  ['that is none', 'text', null, NOW, 'failed', /holds no certificate/],
])('a certificate %s', (_, pem, publicUrl, now, outcome, remark) => {
  expect(checkOwnCertificate(pem, publicUrl, now)).toEqual({
    subject: 'TLS certificate',
    outcome,
    remark: expect.stringMatching(remark) as string,
  });
});
