import { describe, expect, it } from 'vitest';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import { responds } from '../faults/behaviours.ts';
import { openFault } from '../faults/open-fault.ts';
import { openHostile } from './open-hostile.ts';

const hostile = await openHostile();
const ACCOUNT = 'ACCT-7Q2';

const requestLines = () => hostile.logged.filter(({ event }) => event === 'request');

it('every request has a log line with the id of its response', async () => {
  const requests = [
    { path: '/api/orders?limit=1' },
    { path: '/api/orders?limit=1' },
    { path: '/api/orders?limit=0' },
    { path: '/api/nothing' },
    { path: '/api/orders', method: 'POST' },
    { path: '/api/orders', headers: { origin: 'https://evil.example' } },
    { path: '/api/desk/status' },
    { path: '/api/desk/working' },
    { path: '/healthz' },
    { path: '/metrics', method: 'HEAD' },
  ];
  const ids: unknown[] = [];
  for (const request of requests) {
    const { headers, body, status } = await hostile.request(request);
    const id = headers['desk-request-id'];
    ids.push(id);
    // A number would say how many requests others have sent meanwhile.
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    if (status !== undefined && status >= 400)
      expect((JSON.parse(body.toString()) as ProblemDocument).instance).toBe(id);
    expect(requestLines().at(-1)).toMatchObject({ requestId: id, status, method: request.method ?? 'GET' });
  }
  expect(new Set(ids).size).toBe(requests.length);
});

it('every log line has a time, a level and an event, and is one line', () => {
  expect(hostile.logged.length).toBeGreaterThan(9);
  for (const line of hostile.logged) {
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      event: expect.stringMatching(/\S/) as string,
    });
    expect(['debug', 'info', 'warn', 'error']).toContain(line['level']);
    expect(JSON.stringify(line)).not.toContain('\n');
  }
});

it('a log line contains the endpoint of a request and no more of its address', () => {
  expect(new Set(requestLines().flatMap(Object.keys))).toEqual(
    new Set(['time', 'level', 'event', 'requestId', 'method', 'endpoint', 'status', 'outcome', 'tookMs']),
  );
});

describe('the query of a private request is in no log line', () => {
  it.each([
    ['request', `/api/orders?account_id=${ACCOUNT}`],
    ['refused by its value', `/api/orders?account_id=${ACCOUNT}%0a`],
    ['refused by another value', `/api/orders?account_id=${ACCOUNT}&limit=0`],
    ['refused by its name', `/api/orders?${ACCOUNT}=1`],
    ['of the working set', `/api/desk/working?account_id=${ACCOUNT}`],
    ['of the working set, rejected', `/api/desk/working?account_id=${ACCOUNT}&limit=1`],
    ['at no path', `/api/orders/${ACCOUNT}`],
    ['of the app', `/${ACCOUNT}.js?${ACCOUNT}`],
  ])('%s', async (_, path) => {
    const before = hostile.logged.length;
    await hostile.request({ path });
    expect(JSON.stringify(hostile.logged.slice(before))).not.toContain(ACCOUNT);
  });

  it.each([500, 404, 400])('even if the exchange quotes it with status %i', async (status) => {
    const fault = await openFault();
    const quote = responds({ status, headers: { 'content-type': 'text/plain' }, body: `account ${ACCOUNT} is odd` });
    fault.venue.alwaysDoes(quote);
    for (const path of [
      `/api/orders?account_id=${ACCOUNT}`,
      `/api/orders/working?account_id=${ACCOUNT}`,
      `/api/desk/working?account_id=${ACCOUNT}`,
    ]) {
      const { body } = await fault.send(path, { headers: { 'desk-purpose': 'prefetch' } });
      // The client itself may read the cause.
      expect(body.toString()).toContain(ACCOUNT);
    }
    expect(fault.logged.join('')).toContain('"endpoint":"orders"');
    expect(fault.logged.join('')).not.toContain(ACCOUNT);
  });

  it('whereas a public request logs the exchange’s message', async () => {
    const fault = await openFault();
    fault.venue.alwaysDoes(responds({ status: 500, headers: { 'content-type': 'text/plain' }, body: 'out of cheese' }));
    await fault.send(undefined, { headers: { 'desk-purpose': 'prefetch' } });
    expect(fault.logged.join('')).toContain('out of cheese');
  });
});

it('a malformed request cannot forge a log line', async () => {
  const before = hostile.logged.length;
  await hostile.send('GET /api/orders HTTP/1.1\r\nhost: localhost\r\n\r\n{"level":"error","event":"forged"}\r\n\r\n');
  await hostile.request({ path: '/api/orders?%0a%7B%22level%22:%22error%22,%22event%22:%22forged%22%7D=1' });
  expect(hostile.logged.slice(before).filter(({ event }) => event === 'forged')).toEqual([]);
});
