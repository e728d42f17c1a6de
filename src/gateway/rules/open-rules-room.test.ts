import { beforeEach, expect, test, vi } from 'vitest';
import type { Rule } from '#contract/desk-rules.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore, type TestStore } from '#testing/gateway-store/test-store.ts';
import type { RateLimiterState, VenueState } from '../ports.ts';
import { LOCAL_VIEWER } from '../viewer.ts';
import { openRulesRoom, type RulesRoom, type RulesRoomParts } from './open-rules-room.ts';

const ROUND_MS = 5_000;
const AWAY: Rule = { id: 'away', name: 'Away', enabled: true, severity: 'critical', channels: ['ops'], for_seconds: 0, about: 'desk', measure: 'venue_away' };

let clock: FakeClock;
let store: TestStore;
let room: RulesRoom;
let venue: Pick<VenueState, 'circuit' | 'clockOffsetMs' | 'lastFailure'>;
/** How the store is read; a test has that fail. */
let read: TestStore['read'];
let changeLease: (isHeld: boolean) => void;

beforeEach(async () => {
  clock = createFakeClock();
  store = await openTestStore();
  read = store.read;
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
    store: { ...store, read: (work) => read(work) },
    scope: 'test',
    journal: { reader: {} as RulesRoomParts['journal']['reader'], state: () => ({ from: null, lastReading: null, changes: 0, bytes: 0, maxBytes: 0 }) },
    calls: { enqueue: () => Promise.resolve() },
    lease: { isHeld: () => isHeld, onChange: (listener) => void listeners.push(listener) },
    watch: () => () => undefined,
    venue: { state: () => venue as VenueState },
    rateLimiter: { state: () => ({ limit: null, used: 0 }) as RateLimiterState },
    lastSelfTest: () => ({ rows: [] }),
    onChange: () => undefined,
  });
  await room.rules.put([AWAY], String, LOCAL_VIEWER);
});

/** Until no round is under way: each ends by setting the timer of the next one. */
async function passRound(): Promise<void> {
  await clock.advance(ROUND_MS);
  await vi.waitUntil(() => clock.timers() > 0);
}

const stateOf = () => room.board.find('away', '')?.state;

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
