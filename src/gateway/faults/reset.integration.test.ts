import { describe, expect, it } from 'vitest';
import { answers, refusesToSpeak, thenEnds, thenResets, writes, type Behaviour } from '#testing/fault/behaviours.ts';
import { openFault } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

const always = (behaviour: Behaviour): readonly [Behaviour, Behaviour, Behaviour] => [behaviour, behaviour, behaviour];
const halfHead = writes('HTTP/1.1 200 OK\r\ncontent-type: applic');
const halfBody = answers({ headers: { 'content-length': '5000' } });

describe('a venue that breaks off the connection', () => {
  it.each([
    ['before it says anything', refusesToSpeak, 'venue-unreachable', /^The venue cannot be reached: it broke off the connection \(\w+\)\.$/],
    ['within its headers', thenResets(halfHead), 'venue-unreachable', /it broke off the connection/],
    ['after early hints', thenResets(writes('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')), 'venue-unreachable', /it broke off the connection/],
    ['in order, within its headers', thenEnds(halfHead), 'venue-unreachable', /it broke off the connection/],
    ['within its body', thenResets(halfBody), 'venue-answer-unreadable', /^The venue’s answer broke off before its end\.$/],
    ['in order, within its body', thenEnds(halfBody), 'venue-answer-unreadable', /broke off before its end/],
  ] as const)('%s is asked twice more, and then there is a problem and no half page', async (_, behaviour, type, detail) => {
    const fault = await openFault();
    fault.venue.does(...always(behaviour));
    expectProblem(await fault.ask(), { type, detail });
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectGood();
  });

  it('once is asked again, and nobody notices', async () => {
    const fault = await openFault();
    fault.venue.does(thenResets(halfBody));
    const { status } = await fault.ask();
    expect({ status, requests: fault.venue.requests.length }).toEqual({ status: 200, requests: 2 });
    await fault.expectGood();
  });

  it('is not asked again for what nobody waits for', async () => {
    const fault = await openFault();
    fault.venue.does(refusesToSpeak);
    expectProblem(await fault.ask(undefined, { headers: { 'desk-purpose': 'prefetch' } }), { type: 'venue-unreachable', detail: /broke off/ });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectGood();
  });

  it('pauses longer before the second retry, and not always the same', async () => {
    const fault = await openFault();
    fault.venue.does(...always(refusesToSpeak));
    await fault.ask();
    const [first = NaN, second = NaN] = fault.pauses;
    expect(fault.pauses).toHaveLength(2);
    expect(first).toBeGreaterThanOrEqual(100);
    expect(first).toBeLessThanOrEqual(300);
    expect(second).toBeGreaterThanOrEqual(200);
    expect(second).toBeLessThanOrEqual(600);
    expect(second / first).not.toBe(2);
    await fault.expectGood();
  });
});
