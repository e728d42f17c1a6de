import { describe, expect, it } from 'vitest';
import { responds, GOOD_BODY, type Behaviour } from './behaviours.ts';
import { openFault, PRIVATE, PUBLIC, type Fault, type FaultOptions } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const MOST_CONNECTIONS = 16;
const PAUSED = / Perpdesk pauses before it retries\.$/;
const failing = responds({ status: 500, body: 'down' });

async function stateOf({ send }: Fault): Promise<{ readonly circuit: string; readonly ready: string }> {
  const status = JSON.parse((await send('/api/desk/status')).body.toString()) as {
    readonly venue: { readonly circuit: string };
  };
  const ready = await send('/readyz');
  return { circuit: status.venue.circuit, ready: `${String(ready.status)} ${ready.body.toString().trim()}` };
}

const ofProduct = (product: number): string => `/api/web/market/stats/trailing/${String(product)}`;
const FIRST_FIVE = [PUBLIC, ...[1, 2, 3, 4].map(ofProduct)];
/** Each request is attempted three times. */
const TRIES = FIRST_FIVE.length * 3;

/** Sends five requests to two endpoints, which is enough to open the circuit. */
async function openBroken(config: FaultOptions = {}): Promise<Fault> {
  const fault = await openFault(config);
  fault.venue.alwaysDoes(failing);
  for (const path of FIRST_FIVE) await fault.send(path);
  expect({ requests: fault.venue.requests.length, pauses: fault.pauses.length }).toEqual({
    requests: TRIES,
    pauses: TRIES - 5,
  });
  return fault;
}

describe('an exchange that keeps failing', () => {
  it('receives no requests for a while, and problems say for how long', async () => {
    const fault = await openBroken();
    expectProblem(await fault.send(PRIVATE), { type: 'venue-fault', detail: PAUSED, retryAfter: 2 });
    expect(fault.venue.requests).toHaveLength(TRIES);
    expect(await stateOf(fault)).toEqual({
      circuit: 'open',
      ready: '503 not ready: The exchange responded to trailingStats with status 500: down',
    });
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered();
    expect(await stateOf(fault)).toEqual({ circuit: 'closed', ready: '200 ready' });
  });

  it('receives one request after the pause, and no second one before that has a response', async () => {
    const fault = await openBroken();
    let finish = (): void => undefined;
    const waits: Behaviour = (socket, request) => {
      finish = () => {
        responds()(socket, request);
      };
    };
    fault.venue.does(waits);
    fault.advance(2_000);
    const probe = fault.send(ofProduct(5));
    await expect.poll(() => fault.venue.requests.length).toBe(TRIES + 1);
    expect((await stateOf(fault)).circuit).toBe('half-open');
    expectProblem(await fault.send(ofProduct(6)), { type: 'venue-fault', detail: PAUSED, retryAfter: 1 });
    expect(fault.venue.requests).toHaveLength(TRIES + 1);
    finish();
    expect((await probe).status).toBe(200);
    expect((await stateOf(fault)).circuit).toBe('closed');
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered();
  });

  it('is paused twice as long when that one fails too, which is not retried', async () => {
    const fault = await openBroken();
    fault.advance(2_000);
    await fault.send(ofProduct(5));
    expect(fault.venue.requests).toHaveLength(TRIES + 1);
    expectProblem(await fault.send(ofProduct(6)), { type: 'venue-fault', detail: PAUSED, retryAfter: 4 });
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered();
  });

  it('at many requests at once is paused once', async () => {
    const fault = await openFault();
    fault.venue.alwaysDoes(failing);
    await Promise.all([fault.send(), ...Array.from({ length: 30 }, (_, number) => fault.send(ofProduct(number + 1)))]);
    expectProblem(await fault.send(ofProduct(31)), { type: 'venue-fault', detail: PAUSED, retryAfter: 2 });
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered(MOST_CONNECTIONS);
  });

  it('is not considered back because of a request that was never sent', async () => {
    const fault = await openBroken({ credential: null });
    fault.advance(2_000);
    await fault.send(PRIVATE);
    expect((await stateOf(fault)).circuit).toBe('open');
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered();
  });
});

describe('an exchange with one failing endpoint', () => {
  it('receives all other requests, and is ready', async () => {
    const fault = await openFault();
    const isBroken: Behaviour = (socket, request) => {
      (request.target.includes('all-products') ? failing : responds())(socket, request);
    };
    fault.venue.alwaysDoes(isBroken);
    await fault.send(PRIVATE);
    for (let time = 0; time < 10; time++) {
      await fault.send();
      fault.advance(11_000);
    }
    expect((await fault.send(PRIVATE)).status).toBe(200);
    expect(await stateOf(fault)).toEqual({ circuit: 'closed', ready: '200 ready' });
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered(2);
  });
});

describe('a response from before a failure', () => {
  it.each([
    ['fails', failing, 'venue-fault'],
    ['is unreachable', (socket) => void socket.destroy(), 'venue-unreachable'],
    ['sends an invalid response', responds({ body: 'oops' }), 'venue-answer-unreadable'],
    ['reports too many requests', responds({ status: 403 }), 'budget-spent'],
  ] as readonly (readonly [string, Behaviour, string])[])(
    'is served stale if it is public and the exchange %s',
    async (_, behaviour, detail) => {
      const fault = await openFault();
      await fault.send();
      fault.advance(12_000);
      fault.venue.alwaysDoes(behaviour);
      for (let sent = 0; sent < 3; sent++) {
        const { status, headers, body } = await fault.send(PUBLIC);
        expect({ status, age: headers['age'], cache: headers['cache-status'], body: body.toString() }).toEqual({
          status: 200,
          age: '12',
          cache: expect.stringMatching(new RegExp(`^perpdesk; hit; ttl=-[23]; detail=${detail}$`)) as string,
          body: GOOD_BODY,
        });
      }
      fault.venue.alwaysDoes(responds());
      await fault.expectRecovered();
    },
  );

  it('is not served if it is private', async () => {
    const fault = await openFault();
    expect((await fault.send(PRIVATE)).status).toBe(200);
    fault.advance(5_000);
    fault.venue.alwaysDoes(failing);
    expectProblem(await fault.send(PRIVATE), { type: 'venue-fault', detail: /status 500/ });
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered(2);
  });

  it('is not served a day later, nor instead of a rejection', async () => {
    const fault = await openFault();
    await fault.send();
    fault.advance(24 * 3_600_000);
    fault.venue.does(failing, failing, failing, responds({ status: 404, body: '' }));
    expectProblem(await fault.send(), { type: 'venue-fault', detail: /status 500/ });
    await fault.send('/api/web/market/stats/trailing/1').then(({ status }) => {
      expect(status).toBe(404);
    });
    await fault.expectRecovered();
    fault.advance(60_000);
    fault.venue.does(responds({ status: 404, body: '' }));
    expectProblem(await fault.send(), { type: 'not-found', detail: /has nothing at/ });
    await fault.expectRecovered();
  });
});
