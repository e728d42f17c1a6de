import { expect, it } from 'vitest';
import { findSecret } from './find-secret.ts';

const TOKEN = '0badc0de5ca1ab1e'.repeat(2) + 'fedcba9876543210'.repeat(2);
const bytes = Buffer.from(TOKEN, 'hex');

it.each([
  ['as text', `{"token":"${TOKEN}"}`],
  ['as text, in capitals', TOKEN.toUpperCase()],
  ['in part', `token ${TOKEN.slice(0, 20)}…`],
  ['in its last part', `…${TOKEN.slice(-20)}`],
  ['in base64', Buffer.from(TOKEN).toString('base64')],
  ['in base64 behind a user', Buffer.from(`user:${TOKEN}`).toString('base64')],
  ['in base64 behind another user', Buffer.from(`u:${TOKEN}`).toString('base64url')],
  ['in base64 between others', Buffer.from(`{"a":"${TOKEN}"}`).toString('base64')],
  ['its bytes in base64', bytes.toString('base64')],
  ['as bytes', Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')])],
  ['in hex once more', Buffer.from(TOKEN).toString('hex')],
  ['as JSON of a buffer', JSON.stringify({ key: Buffer.from(TOKEN) })],
  ['as JSON of its bytes', JSON.stringify({ key: bytes })],
])('finds a secret %s', (_, output) => {
  expect(findSecret(output, TOKEN)).not.toBeNull();
});

it('finds no secret where there is none', () => {
  expect(
    findSecret(`${TOKEN.slice(0, 8)} ${Buffer.from('another').toString('base64')} ${'ab'.repeat(32)}`, TOKEN),
  ).toBeNull();
});
