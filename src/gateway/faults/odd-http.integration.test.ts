import { describe, expect, it } from 'vitest';
import { answers, GOOD_BODY, writes } from '#testing/fault/behaviours.ts';
import { openFault } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

const length = String(GOOD_BODY.length);
const head = (...headers: readonly string[]): string => `HTTP/1.1 200 OK\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${GOOD_BODY}`;
const json = 'content-type: application/json';

describe('an answer with headers that contradict each other', () => {
  it.each([
    ['two lengths', [json, `content-length: ${length}`, 'content-length: 10'], /is not HTTP/],
    ['one length twice', [json, `content-length: ${length}`, `content-length: ${length}`], /is not HTTP/],
    ['a length and chunks', [json, `content-length: ${length}`, 'transfer-encoding: chunked'], /is not HTTP|broke off/],
    ['a length that is no number', [json, 'content-length: 5x'], /is not HTTP/],
    ['a negative length', [json, 'content-length: -5'], /is not HTTP/],
    ['two types', [json, 'content-type: text/html', `content-length: ${length}`], /gives content-type twice/],
    ['two codings', [json, 'content-encoding: gzip', 'content-encoding: br', `content-length: ${length}`], /gives content-encoding twice/],
    ['a header with a line feed in its name', [json, 'x\n y: z', `content-length: ${length}`], /is not HTTP/],
  ])('%s is a problem after three tries', async (_, headers, detail) => {
    const fault = await openFault();
    const behaviour = writes(head(...headers));
    fault.venue.does(behaviour, behaviour, behaviour);
    expectProblem(await fault.ask(), { type: 'venue-answer-unreadable', detail });
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectGood();
  });

  it('the same type twice is one type', async () => {
    const fault = await openFault();
    fault.venue.does(writes(head(json, json, `content-length: ${length}`)));
    expect((await fault.ask()).status).toBe(200);
    await fault.expectGood();
  });
});

describe('a venue with words of its own', () => {
  it.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['an answer of HTTP/0.9', GOOD_BODY],
  ])('%s is a problem', async (_, text) => {
    const fault = await openFault();
    fault.venue.does(writes(text), writes(text), writes(text));
    expectProblem(await fault.ask(), { type: 'venue-answer-unreadable', detail: /is not HTTP that can be read/ });
    await fault.expectGood();
  });

  it.each([
    ['a continuation nobody asked for', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ])('%s ends the connection, and it is asked again on another', async (_, text) => {
    const fault = await openFault();
    fault.venue.does(writes(text, head(json, `content-length: ${length}`)));
    expect((await fault.ask()).status).toBe(200);
    expect(fault.venue.requests).toHaveLength(2);
    await fault.expectGood();
  });

  it('early hints are passed over', async () => {
    const fault = await openFault();
    fault.venue.does(writes('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', head(json, `content-length: ${length}`)));
    expect((await fault.ask()).body.toString()).toBe(GOOD_BODY);
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectGood();
  });

  it('an answer after the answer is never taken for that of the next question', async () => {
    const fault = await openFault();
    const forged = head(json, `content-length: ${length}`).replace(GOOD_BODY, GOOD_BODY.replace('1547', '6666'));
    fault.venue.does((socket, request) => {
      answers()(socket, request);
      socket.write(forged);
    });
    expect((await fault.ask()).body.toString()).toBe(GOOD_BODY);
    expect((await fault.ask('/api/web/market/stats/trailing/1')).body.toString()).toBe(GOOD_BODY);
    await fault.expectGood();
  });
});

describe('a connection kept for the next question', () => {
  it('that the venue has closed meanwhile is not used, and nobody notices', async () => {
    const fault = await openFault();
    fault.venue.does((socket, request) => {
      answers()(socket, request);
      socket.end();
    });
    await fault.ask();
    await expect.poll(fault.venue.openConnections).toBe(0);
    await fault.expectGood();
    expect(fault.pauses).toEqual([]);
  });

  it('that the venue closes just as it is used is made up for by another', async () => {
    const fault = await openFault();
    await fault.ask();
    fault.venue.does((socket) => {
      socket.destroy();
    });
    expect((await fault.ask('/api/web/market/stats/trailing/1')).status).toBe(200);
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectGood();
  });

  it('is used again and again', async () => {
    const fault = await openFault();
    for (let asked = 0; asked < 20; asked++) await fault.ask(`/api/web/market/stats/trailing/${String(asked + 1)}`);
    expect({ requests: fault.venue.requests.length, connections: fault.venue.openConnections() }).toEqual({ requests: 20, connections: 1 });
    await fault.expectGood();
  });
});
