import { describe, expect, it, onTestFinished } from 'vitest';
import { answers } from '#testing/fault/behaviours.ts';
import { openFaultyVenue } from '#testing/fault/faulty-venue.ts';
import { openFault, PRIVATE } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

describe('a venue that sends elsewhere', () => {
  it.each([301, 302, 303, 307, 308])('with %i is not followed, and not asked again', async (status) => {
    const elsewhere = await openFaultyVenue({ now: Date.now });
    onTestFinished(elsewhere.close);
    const fault = await openFault();
    await fault.ask();
    fault.venue.does(answers({ status, headers: { location: `${elsewhere.baseUrl}/orders` }, body: '' }));
    expectProblem(await fault.ask(PRIVATE), { type: 'venue-fault', detail: /redirect, which is not followed/ });
    expect({ here: fault.venue.requests.length, there: elsewhere.requests.length }).toEqual({ here: 2, there: 0 });
    await fault.expectGood();
  });

  it('within itself is not followed either', async () => {
    const fault = await openFault();
    fault.venue.does(answers({ status: 308, headers: { location: '/exchange/api/v2' } }));
    expectProblem(await fault.ask(), { type: 'venue-fault', detail: /redirect/ });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectGood();
  });
});
