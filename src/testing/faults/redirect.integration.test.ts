import { describe, expect, it, onTestFinished } from 'vitest';
import { responds } from './behaviours.ts';
import { openFaultyVenue } from './faulty-venue.ts';
import { openFault, PRIVATE } from './open-fault.ts';
import { expectProblem } from './problems.ts';

describe('an exchange that redirects', () => {
  it.each([301, 302, 303, 307, 308])('with %i is not followed, and not retried', async (status) => {
    const elsewhere = await openFaultyVenue({ now: Date.now });
    onTestFinished(elsewhere.close);
    const fault = await openFault();
    await fault.send();
    fault.venue.does(responds({ status, headers: { location: `${elsewhere.baseUrl}/orders` }, body: '' }));
    expectProblem(await fault.send(PRIVATE), {
      type: 'venue-fault',
      detail: /redirect, which Perpdesk does not follow/,
    });
    expect({ here: fault.venue.requests.length, there: elsewhere.requests.length }).toEqual({ here: 2, there: 0 });
    await fault.expectRecovered();
  });

  it('within itself is not followed either', async () => {
    const fault = await openFault();
    fault.venue.does(responds({ status: 308, headers: { location: '/exchange/api/v2' } }));
    expectProblem(await fault.send(), { type: 'venue-fault', detail: /redirect/ });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });
});
