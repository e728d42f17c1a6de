import { beforeEach, expect, test, vi } from 'vitest';
import type { Rule } from '#contract/desk/rules.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import type { RateLimiterState, VenueState } from '#server/core/ports.ts';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import { openRulesRoom, type RulesRoom, type RulesRoomDeps } from './open-rules-room.ts';

const ROUND_MS = 5_000;
const AWAY: Rule = {
  id: 'away',
  name: 'Away',
  enabled: true,
  severity: 'critical',
  channels: ['ops'],
  for_seconds: 0,
  about: 'desk',
  measure: 'venue_away',
};

let clock: FakeClock;
let store: TestStore;
let room: RulesRoom;
let venue: Pick<VenueState, 'circuit' | 'clockOffsetMs' | 'lastFailure'>;
let enqueue: RulesRoomDeps['notifications']['enqueue'];
/** Replaceable, so that a test can let reading or writing the store fail or take long. */
let read: TestStore['read'];
let mustWrite: TestStore['mustWrite'];
let changeLease: (isHeld: boolean) => void;

beforeEach(async () => {
  clock = createFakeClock();
  store = await openTestStore();
  ({ read, mustWrite } = store);
  enqueue = () => Promise.resolve();
  venue = { circuit: 'open', clockOffsetMs: 0, lastFailure: null };
  const listeners: ((isHeld: boolean) => void)[] = [];
  let isHeld = false;
  changeLease = (next) => {
    isHeld = next;
    for (const listener of listeners) listener(next);
  };
  room = await openRulesRoom({
    ...clock,
    log: () => undefined,
    store: { ...store, read: (work) => read(work), mustWrite: (work) => mustWrite(work) },
    scope: 'test',
    journal: {
      reader: {} as RulesRoomDeps['journal']['reader'],
      activity: () => Promise.reject(new Error('The journal is empty.')),
      state: () => ({ from: null, lastReading: null, changes: 0, bytes: 0, maxBytes: 0 }),
      returned: () => [],
    },
    notifications: { enqueue: (...notification) => enqueue(...notification) },
    lease: { isHeld: () => isHeld, onChange: (listener) => void listeners.push(listener) },
    watch: () => () => undefined,
    venue: { state: () => venue as VenueState },
    rateLimiter: { state: () => ({ limit: null, used: 0 }) as RateLimiterState },
    lastSelfTest: () => ({ rows: [] }),
    mayNotify: (person) => person !== 'demoted',
    onChange: () => undefined,
  });
  await room.rules.put([AWAY], String, LOCAL_VIEWER);
});

/** Waits until no round is running: each one ends by setting the timer of the next. */
async function passRound(): Promise<void> {
  await clock.advance(ROUND_MS);
  await vi.waitUntil(() => clock.timers() > 0);
}

const stateOf = () => room.board.find('away', '')?.state;
const storedStates = async () =>
  (await store.query('SELECT body FROM alert_state')).map(([body]) => JSON.parse(String(body)) as unknown);

test('rules are evaluated although what another desk has left could not be read at first', async () => {
  room.start();
  await passRound();
  let failures = 1;
  read = (work) => (failures-- > 0 ? Promise.reject(new Error('The connection was lost.')) : store.read(work));
  changeLease(true);
  await passRound();
  expect(room.evaluates()).toBe(true);
  await passRound();
  await passRound();
  expect(failures).toBeLessThan(0);
  expect(stateOf()).toMatchObject({ status: 'firing', called: 'firing' });
});

/** Creates a promise that waits until it is released. */
function hold() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    held: promise,
    release: () => {
      resolve(undefined);
    },
  };
}

async function fire(): Promise<void> {
  room.start();
  changeLease(true);
  await passRound();
  await passRound();
}

test.each([
  ['ann', [['ops']]],
  ['demoted', []],
])('a rule that %s saved last calls its channels only if they may have them called', async (person, expected) => {
  const called: (readonly string[])[] = [];
  enqueue = (_, channels) => Promise.resolve(void called.push(channels));
  await room.rules.put([{ ...AWAY, name: 'Away again' }], String, { ...LOCAL_VIEWER, person });
  await fire();
  expect([stateOf()?.status, called]).toEqual(['firing', expected]);
});

test('an acknowledgement whose write takes long does not bring back what is over by then', async () => {
  await fire();
  const { held, release } = hold();
  let writes = 0;
  mustWrite = async (work) => {
    if (writes++ === 0) await held;
    return store.mustWrite(work);
  };
  const acknowledged = room.acknowledge('away', '', 'known', LOCAL_VIEWER);
  venue = { ...venue, circuit: 'closed' };
  await clock.advance(ROUND_MS);
  release();
  expect(await acknowledged).toBe(true);
  await passRound();
  await passRound();
  const { changes } = await room.store.alertChanges({ ruleId: null, before: null, limit: 9 });
  expect(changes.map(({ body }) => (JSON.parse(body) as { readonly state: string }).state)).toEqual([
    'resolved',
    'firing',
  ]);
  expect(stateOf()).toMatchObject({ status: 'resolved', acknowledged: null });
  expect(await storedStates()).toMatchObject([{ status: 'resolved', acknowledged: null }]);
  expect(await room.acknowledge('away', '', 'too late', LOCAL_VIEWER)).toBe(false);
});

test('an acknowledgement while a call is left for delivery is stored', async () => {
  const { held, release } = hold();
  let isNotifying = false;
  enqueue = () => {
    isNotifying = true;
    return held;
  };
  room.start();
  changeLease(true);
  await vi.waitUntil(async () => {
    await clock.advance(ROUND_MS);
    return isNotifying;
  });
  const acknowledged = room.acknowledge('away', '', 'known', LOCAL_VIEWER);
  release();
  expect(await acknowledged).toBe(true);
  await passRound();
  const expected = { status: 'firing', called: 'firing', acknowledged: { note: 'known' } };
  expect(stateOf()).toMatchObject(expected);
  expect(await storedStates()).toMatchObject([expected]);
});

test('an acknowledgement outlives what could not be written before it', async () => {
  enqueue = () => store.stopWrites();
  await fire();
  await store.allowWrites();
  expect(await room.acknowledge('away', '', 'known', LOCAL_VIEWER)).toBe(true);
  await passRound();
  expect(await storedStates()).toMatchObject([{ status: 'firing', called: 'firing', acknowledged: { note: 'known' } }]);
});
