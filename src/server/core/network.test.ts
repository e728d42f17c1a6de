import { expect, it } from 'vitest';
import { isLoopback } from './network.ts';

it.each(['localhost', 'LocalHost', '127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
  '%s is this machine alone',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

it.each([
  '',
  '0.0.0.0',
  '::',
  '128.0.0.1',
  '10.0.0.1',
  'fe80::1',
  '127.1',
  '2130706433',
  '0x7f000001',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example',
])('%j is not', (host) => {
  expect(isLoopback(host)).toBe(false);
});
