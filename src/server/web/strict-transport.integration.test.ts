import { describe, expect, it } from 'vitest';
import { openHostile } from '#testing/attacks/open-hostile.ts';

const hostile = await openHostile();
const PATHS = ['/api/orders', '/api/nothing', '/healthz', '/nothing.txt'];
const HEADER = 'strict-transport-security';

it('a request by TLS to a name other than loopback gets the header', async () => {
  for (const path of PATHS) {
    const { headers } = await hostile.request({
      path,
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'desk.example' },
    });
    expect({ path, value: headers[HEADER] }).toEqual({ path, value: 'max-age=31536000' });
  }
});

describe('no other request does', () => {
  it.each([
    ['without TLS', { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'desk.example' }],
    ['without a tunnel', {}],
    ['whose tunnel names no host', { 'x-forwarded-proto': 'https' }],
    [
      'to this machine’s own name, which other servers share',
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost:8443' },
    ],
    ['to this machine’s own address', { 'x-forwarded-proto': 'https', 'x-forwarded-host': '127.0.0.1' }],
  ])('%s', async (_, headers) => {
    for (const path of PATHS) expect((await hostile.request({ path, headers })).headers).not.toHaveProperty(HEADER);
  });
});
