import { describe, expect, it } from 'vitest';
import { responds, thenDrips, writes } from './behaviours.ts';
import { openFault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const limits = { totalMs: 2_000 };
const endless = responds({ headers: { 'content-length': null, 'transfer-encoding': 'chunked' }, body: '1\r\n[\r\n' });

describe('an exchange that drips', () => {
  it.each([
    ['its headers', thenDrips(writes('HTTP/1.1 200 OK\r\nx-slow: '), 'a', 20)],
    ['its body', thenDrips(responds({ headers: { 'content-length': '100000' } }), ' ', 20)],
    ['chunks', thenDrips(endless, '1\r\n \r\n', 20)],
    ['early hints, one after another', thenDrips(writes(''), 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 20)],
  ])('%s is never idle, and is aborted after the total timeout', async (_, behaviour) => {
    const fault = await openFault({ limits });
    fault.venue.does(behaviour);
    expectProblem(await fault.send(), { type: 'venue-timeout', detail: /did not respond in time/ });
    expect(fault.venue.requests).toHaveLength(1);
    await expect.poll(fault.venue.openConnections).toBe(0);
    await fault.expectRecovered();
  });
});
