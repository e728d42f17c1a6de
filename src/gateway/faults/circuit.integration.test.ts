import { describe, expect, it } from 'vitest';
import { answers, GOOD_BODY, type Behaviour } from '#testing/fault/behaviours.ts';
import { openFault, PRIVATE, PUBLIC, type Fault, type FaultOptions } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

const MOST_CONNECTIONS = 16;
const PAUSED = / The desk pauses before it asks again\.$/;
const failing = answers({ status: 500, body: 'down' });

async function stateOf({ ask }: Fault): Promise<{ readonly circuit: string; readonly ready: string }> {
  const status = JSON.parse((await ask('/api/desk/status')).body.toString()) as { readonly venue: { readonly circuit: string } };
  const ready = await ask('/readyz');
  return { circuit: status.venue.circuit, ready: `${String(ready.status)} ${ready.body.toString().trim()}` };
}

const ofProduct = (product: number): string => `/api/web/market/stats/trailing/${String(product)}`;
const FIRST_FIVE = [PUBLIC, ...[1, 2, 3, 4].map(ofProduct)];
/** Each is tried three times. */
const TRIES = FIRST_FIVE.length * 3;

/** Five questions at two endpoints: enough to give the venue time. */
async function openBroken(config: FaultOptions = {}): Promise<Fault> {
  const fault = await openFault(config);
  fault.venue.alwaysDoes(failing);
  for (const path of FIRST_FIVE) await fault.ask(path);
  expect({ requests: fault.venue.requests.length, pauses: fault.pauses.length }).toEqual({ requests: TRIES, pauses: TRIES - 5 });
  return fault;
}

describe('a venue that keeps failing', () => {
  it('is given time: nothing is sent, and everybody is told when it is', async () => {
    const fault = await openBroken();
    expectProblem(await fault.ask(PRIVATE), { type: 'venue-fault', detail: PAUSED, retryAfter: 2 });
    expect(fault.venue.requests).toHaveLength(TRIES);
    expect(await stateOf(fault)).toEqual({ circuit: 'open', ready: '503 not ready: The venue answered trailingStats with status 500: down' });
    fault.venue.alwaysDoes(answers());
    await fault.expectGood();
    expect(await stateOf(fault)).toEqual({ circuit: 'closed', ready: '200 ready' });
  });

  it('gets one question through when the time is over, and no second before that is answered', async () => {
    const fault = await openBroken();
    let finish = (): void => undefined;
    const waits: Behaviour = (socket, request) => {
      finish = () => {
        answers()(socket, request);
      };
    };
    fault.venue.does(waits);
    fault.advance(2_000);
    const probe = fault.ask(ofProduct(5));
    await expect.poll(() => fault.venue.requests.length).toBe(TRIES + 1);
    expect((await stateOf(fault)).circuit).toBe('half-open');
    expectProblem(await fault.ask(ofProduct(6)), { type: 'venue-fault', detail: PAUSED, retryAfter: 1 });
    expect(fault.venue.requests).toHaveLength(TRIES + 1);
    finish();
    expect((await probe).status).toBe(200);
    expect((await stateOf(fault)).circuit).toBe('closed');
    fault.venue.alwaysDoes(answers());
    await fault.expectGood();
  });

  it('is given twice the time when that one fails too, which is not retried', async () => {
    const fault = await openBroken();
    fault.advance(2_000);
    await fault.ask(ofProduct(5));
    expect(fault.venue.requests).toHaveLength(TRIES + 1);
    expectProblem(await fault.ask(ofProduct(6)), { type: 'venue-fault', detail: PAUSED, retryAfter: 4 });
    fault.venue.alwaysDoes(answers());
    await fault.expectGood();
  });

  it('at many questions at once is one reason to wait', async () => {
    const fault = await openFault();
    fault.venue.alwaysDoes(failing);
    await Promise.all([fault.ask(), ...Array.from({ length: 30 }, (_, number) => fault.ask(ofProduct(number + 1)))]);
    expectProblem(await fault.ask(ofProduct(31)), { type: 'venue-fault', detail: PAUSED, retryAfter: 2 });
    fault.venue.alwaysDoes(answers());
    await fault.expectGood(MOST_CONNECTIONS);
  });

  it('is not said to be back by a question that was never sent', async () => {
    const fault = await openBroken({ credential: null });
    fault.advance(2_000);
    await fault.ask(PRIVATE);
    expect((await stateOf(fault)).circuit).toBe('open');
    fault.venue.alwaysDoes(answers());
    await fault.expectGood();
  });
});

describe('a venue of which one endpoint keeps failing', () => {
  it('is asked everything else as ever, and is ready', async () => {
    const fault = await openFault();
    const isBroken: Behaviour = (socket, request) => {
      (request.target.includes('all-products') ? failing : answers())(socket, request);
    };
    fault.venue.alwaysDoes(isBroken);
    await fault.ask(PRIVATE);
    for (let time = 0; time < 10; time++) {
      await fault.ask();
      fault.advance(11_000);
    }
    expect((await fault.ask(PRIVATE)).status).toBe(200);
    expect(await stateOf(fault)).toEqual({ circuit: 'closed', ready: '200 ready' });
    fault.venue.alwaysDoes(answers());
    await fault.expectGood(2);
  });
});

describe('what was answered before a failure', () => {
  it.each([
    ['fails', failing, 'venue-fault'],
    ['is out of reach', (socket) => void socket.destroy(), 'venue-unreachable'],
    ['says something broken', answers({ body: 'oops' }), 'venue-answer-unreadable'],
    ['says that too much was asked', answers({ status: 403 }), 'budget-spent'],
  ] as readonly (readonly [string, Behaviour, string])[])('is shown, marked, where it is public and the venue %s', async (_, behaviour, detail) => {
    const fault = await openFault();
    await fault.ask();
    fault.advance(12_000);
    fault.venue.alwaysDoes(behaviour);
    for (let asked = 0; asked < 3; asked++) {
      const { status, headers, body } = await fault.ask(PUBLIC);
      expect({ status, age: headers['age'], cache: headers['cache-status'], body: body.toString() }).toEqual({
        status: 200,
        age: '12',
        cache: expect.stringMatching(new RegExp(`^perpdesk; hit; ttl=-[23]; detail=${detail}$`)) as string,
        body: GOOD_BODY,
      });
    }
    fault.venue.alwaysDoes(answers());
    await fault.expectGood();
  });

  it('is not shown where it is private', async () => {
    const fault = await openFault();
    expect((await fault.ask(PRIVATE)).status).toBe(200);
    fault.advance(5_000);
    fault.venue.alwaysDoes(failing);
    expectProblem(await fault.ask(PRIVATE), { type: 'venue-fault', detail: /status 500/ });
    fault.venue.alwaysDoes(answers());
    await fault.expectGood(2);
  });

  it('is not shown a day later, nor in place of a refusal', async () => {
    const fault = await openFault();
    await fault.ask();
    fault.advance(24 * 3_600_000);
    fault.venue.does(failing, failing, failing, answers({ status: 404, body: '' }));
    expectProblem(await fault.ask(), { type: 'venue-fault', detail: /status 500/ });
    await fault.ask('/api/web/market/stats/trailing/1').then(({ status }) => { expect(status).toBe(404); });
    await fault.expectGood();
    fault.advance(60_000);
    fault.venue.does(answers({ status: 404, body: '' }));
    expectProblem(await fault.ask(), { type: 'not-found', detail: /has nothing at/ });
    await fault.expectGood();
  });
});
