import { describe, expect, it } from 'vitest';
import { responds, GOOD_BODY, writes } from './behaviours.ts';
import { openFault, PRIVATE } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const length = String(GOOD_BODY.length);
const head = (...headers: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${GOOD_BODY}`;
const json = 'content-type: application/json';

describe('a response with contradictory headers', () => {
  it.each([
    ['two lengths', [json, `content-length: ${length}`, 'content-length: 10'], /is not valid HTTP/],
    ['one length twice', [json, `content-length: ${length}`, `content-length: ${length}`], /is not valid HTTP/],
    [
      'a length and chunks',
      [json, `content-length: ${length}`, 'transfer-encoding: chunked'],
      /is not valid HTTP|was cut off/,
    ],
    ['a length that is not a number', [json, 'content-length: 5x'], /is not valid HTTP/],
    ['a negative length', [json, 'content-length: -5'], /is not valid HTTP/],
    [
      'two types',
      [json, 'content-type: text/html', `content-length: ${length}`],
      /has two different content-type headers/,
    ],
    [
      'two codings',
      [json, 'content-encoding: gzip', 'content-encoding: br', `content-length: ${length}`],
      /has two different content-encoding headers/,
    ],
    ['a header with a line feed in its name', [json, 'x\n y: z', `content-length: ${length}`], /is not valid HTTP/],
  ])('%s is a problem after three attempts', async (_, headers, detail) => {
    const fault = await openFault();
    const behaviour = writes(head(...headers));
    fault.venue.does(behaviour, behaviour, behaviour);
    expectProblem(await fault.send(), { type: 'venue-answer-unreadable', detail });
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectRecovered();
  });

  it('the same type twice is one type', async () => {
    const fault = await openFault();
    fault.venue.does(writes(head(json, json, `content-length: ${length}`)));
    expect((await fault.send()).status).toBe(200);
    await fault.expectRecovered();
  });
});

describe('an exchange that violates HTTP', () => {
  it.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a response of HTTP/0.9', GOOD_BODY],
  ])('%s is a problem', async (_, text) => {
    const fault = await openFault();
    fault.venue.does(writes(text), writes(text), writes(text));
    expectProblem(await fault.send(), { type: 'venue-answer-unreadable', detail: /is not valid HTTP/ });
    await fault.expectRecovered();
  });

  it.each([
    ['an unsolicited 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ])('%s closes the connection, and the request is retried on another', async (_, text) => {
    const fault = await openFault();
    fault.venue.does(writes(text, head(json, `content-length: ${length}`)));
    expect((await fault.send()).status).toBe(200);
    expect(fault.venue.requests).toHaveLength(2);
    await fault.expectRecovered();
  });

  it('early hints are ignored', async () => {
    const fault = await openFault();
    fault.venue.does(writes('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', head(json, `content-length: ${length}`)));
    expect((await fault.send()).body.toString()).toBe(GOOD_BODY);
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });

  it('a second response is never taken for that of the next request', async () => {
    const fault = await openFault();
    const forged = head(json, `content-length: ${length}`).replace(GOOD_BODY, GOOD_BODY.replace('1547', '6666'));
    fault.venue.does((socket, request) => {
      responds()(socket, request);
      socket.write(forged);
    });
    expect((await fault.send()).body.toString()).toBe(GOOD_BODY);
    expect((await fault.send('/api/web/market/stats/trailing/1')).body.toString()).toBe(GOOD_BODY);
    await fault.expectRecovered();
  });
});

describe('a reused connection', () => {
  it('that the exchange has closed meanwhile is not used, and no client notices', async () => {
    const fault = await openFault();
    fault.venue.does((socket, request) => {
      responds()(socket, request);
      socket.end();
    });
    await fault.send();
    await expect.poll(fault.venue.openConnections).toBe(0);
    await fault.expectRecovered();
    expect(fault.pauses).toEqual([]);
  });

  it('that the exchange closes just as it is used is replaced by another', async () => {
    const fault = await openFault();
    await fault.send();
    fault.venue.does((socket) => {
      socket.destroy();
    });
    expect((await fault.send('/api/web/market/stats/trailing/1')).status).toBe(200);
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectRecovered();
  });

  it('is used repeatedly', async () => {
    const fault = await openFault();
    for (let sent = 0; sent < 20; sent++)
      await fault.send(`/api/web/charts/price/${String(sent + 1)}?end_time=2026-01-01T00:00:00Z`);
    expect({ requests: fault.venue.requests.length, connections: fault.venue.openConnections() }).toEqual({
      requests: 20,
      connections: 1,
    });
    await fault.expectRecovered();
  });
});

describe('an exchange that sends an absurd date', () => {
  it.each(['+275760-09-13T00:00:00Z', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    '%s is read as if it sent none, and the status says so',
    async (date) => {
      const fault = await openFault();
      fault.venue.alwaysDoes(responds({ headers: { date } }));
      const sent = [await fault.send(), await fault.send(PRIVATE)];
      for (const { status, headers } of sent) {
        expect(status).toBe(200);
        expect(Math.abs(Date.parse(String(headers['desk-answered-at'])) - Date.now())).toBeLessThan(60_000);
      }
      const { body } = await fault.send('/api/desk/status');
      expect(JSON.parse(body.toString())).toMatchObject({ venue: { clock_offset_ms: null, ignored_date: date } });
      fault.venue.alwaysDoes(responds());
      await fault.expectRecovered();
    },
  );
});
