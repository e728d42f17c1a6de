import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { responds } from './behaviours.ts';
import { KEY, openFault, PUBLIC } from './open-fault.ts';

const fromBrowser = {
  'cookie': 'session=1',
  'authorization': 'Bearer x',
  'accept-language': 'de',
  'user-agent': 'Mozilla/5.0',
  'if-none-match': '"x"',
  'if-modified-since': 'Mon, 17 Aug 2026 00:00:00 GMT',
  'range': 'bytes=0-1',
  'x-forwarded-for': '10.0.0.1',
  'forwarded': 'for=10.0.0.1',
  'btnl-signature': 'forged',
  'cache-control': 'no-cache',
  'desk-purpose': 'interactive',
};
const OURS = ['host', 'connection', 'accept', 'accept-encoding', 'user-agent'];
const SIGNED = ['btnl-auth-timestamp', 'btnl-connection-id', 'btnl-signature'];

const nameOf = (header: string): string => header.slice(0, header.indexOf(':')).toLowerCase();
const valueOf = (headers: readonly string[], name: string): string =>
  headers.find((header) => nameOf(header) === name)?.slice(name.length + 2) ?? '';

describe('the upstream request', () => {
  it('contains the request and no header of the client', async () => {
    const fault = await openFault();
    await fault.send(PUBLIC, { headers: fromBrowser });
    const [request] = fault.venue.requests;
    expect(request).toMatchObject({ method: 'GET', target: '/exchange/api/web/market/stats/trailing/all-products' });
    expect(request?.headers.map(nameOf).sort()).toEqual([...OURS].sort());
    expect(valueOf(request?.headers ?? [], 'host')).toBe(new URL(fault.venue.baseUrl).host);
    await fault.expectRecovered();
  });

  it('is signed over exactly what is sent', async () => {
    const fault = await openFault();
    await fault.send('/api/orders?limit=2&cursor=YQ%253D%253D&day=2026-08-17', { headers: fromBrowser });
    const { method, target, headers } = fault.venue.requests.at(-1) ?? { method: '', target: '', headers: [] };
    expect(headers.map(nameOf).sort()).toEqual([...OURS, ...SIGNED].sort());
    const [path = '', query = ''] = target.split('?');
    expect(query).toContain('cursor=YQ%3D%3D');
    const message = `${method}${path}?${query}BTNL-AUTH-TIMESTAMP${valueOf(headers, 'btnl-auth-timestamp')}BTNL-CONNECTION-ID${KEY.connectionId}`;
    expect(valueOf(headers, 'btnl-signature')).toBe(createHmac('sha256', KEY.token).update(message).digest('base64'));
    await fault.expectRecovered(2);
  });

  it('is signed when it is sent, by the exchange’s clock', async () => {
    const fault = await openFault({ venueAheadMs: 3_600_000 });
    await fault.send('/api/orders/working');
    const [first, second] = fault.venue.requests;
    expect(first?.headers.map(nameOf)).not.toContain('btnl-signature');
    expect(
      Math.abs(Date.parse(valueOf(second?.headers ?? [], 'btnl-auth-timestamp')) - (second?.at ?? NaN)),
    ).toBeLessThan(2_000);
    await fault.expectRecovered(2);
  });
});

describe('the response', () => {
  it('contains the body and no header of the exchange', async () => {
    const fault = await openFault();
    const plain = Object.keys((await fault.send()).headers).sort();
    fault.venue.does(
      responds({
        headers: {
          'set-cookie': 'a=b',
          'server': 'venue',
          'access-control-allow-origin': '*',
          'x-powered-by': 'x',
          'cache-control': 'public',
          'etag': '"v"',
          'vary': '*',
        },
      }),
    );
    const { headers } = await fault.send('/api/web/market/stats/trailing/1');
    expect(Object.keys(headers).sort()).toEqual(plain);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', 'age': '0', 'vary': 'accept-encoding' });
    await fault.expectRecovered();
  });

  it('is as old as an intermediate cache says', async () => {
    const fault = await openFault();
    fault.venue.does(responds({ headers: { age: '5' } }), responds({ headers: { age: '600' } }));
    const { headers } = await fault.send(PUBLIC);
    expect(headers.age).toMatch(/^[56]$/);
    expect(headers['cache-status']).toMatch(/^perpdesk; fwd=miss; stored; ttl=[45]$/);
    expect(Date.now() - Date.parse(String(headers['desk-answered-at']))).toBeGreaterThanOrEqual(5_000);
    fault.advance(6_000);
    expect((await fault.send(PUBLIC)).headers.age).toMatch(/^60[01]$/);
    expect(fault.venue.requests).toHaveLength(2);
    await fault.expectRecovered();
  });
});
