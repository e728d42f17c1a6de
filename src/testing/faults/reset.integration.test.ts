import { describe, expect, it } from 'vitest';
import { responds, resets, thenEnds, thenResets, writes, type Behaviour } from './behaviours.ts';
import { openFault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const always = (behaviour: Behaviour): readonly [Behaviour, Behaviour, Behaviour] => [behaviour, behaviour, behaviour];
const halfHead = writes('HTTP/1.1 200 OK\r\ncontent-type: applic');
const halfBody = responds({ headers: { 'content-length': '5000' } });

describe('an exchange that closes the connection', () => {
  it.each([
    [
      'before it responds',
      resets,
      'venue-unreachable',
      /^The exchange is unreachable: it closed the connection \(\w+\)\.$/,
    ],
    ['within its headers', thenResets(halfHead), 'venue-unreachable', /it closed the connection/],
    [
      'after early hints',
      thenResets(writes('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')),
      'venue-unreachable',
      /it closed the connection/,
    ],
    ['in order, within its headers', thenEnds(halfHead), 'venue-unreachable', /it closed the connection/],
    ['within its body', thenResets(halfBody), 'venue-answer-unreadable', /^The exchange’s response was cut off\.$/],
    ['in order, within its body', thenEnds(halfBody), 'venue-answer-unreadable', /was cut off/],
  ] as const)('%s is retried twice, and then reported without any partial data', async (_, behaviour, type, detail) => {
    const fault = await openFault();
    fault.venue.does(...always(behaviour));
    expectProblem(await fault.send(), { type, detail });
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectRecovered();
  });

  it('once is retried, and no client notices', async () => {
    const fault = await openFault();
    fault.venue.does(thenResets(halfBody));
    const { status } = await fault.send();
    expect({ status, requests: fault.venue.requests.length }).toEqual({ status: 200, requests: 2 });
    await fault.expectRecovered();
  });

  it('is not retried for a prefetch', async () => {
    const fault = await openFault();
    fault.venue.does(resets);
    expectProblem(await fault.send(undefined, { headers: { 'desk-purpose': 'prefetch' } }), {
      type: 'venue-unreachable',
      detail: /closed the connection/,
    });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });

  it('pauses longer before the second retry, and not always the same', async () => {
    const fault = await openFault();
    fault.venue.does(...always(resets));
    await fault.send();
    const [first = NaN, second = NaN] = fault.pauses;
    expect(fault.pauses).toHaveLength(2);
    expect(first).toBeGreaterThanOrEqual(100);
    expect(first).toBeLessThanOrEqual(300);
    expect(second).toBeGreaterThanOrEqual(200);
    expect(second).toBeLessThanOrEqual(600);
    expect(second / first).not.toBe(2);
    await fault.expectRecovered();
  });
});
