import { beforeEach, expect, test, vi } from 'vitest';
import type { Rule } from '#contract/desk/rules.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import type { RateLimiterState, VenueState } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import { sampleEvent } from '#testing/notifications/sample-events.ts';
import { createAcknowledgeLinks } from '../notifications/acknowledge-links.ts';
import type { AlertEvent } from '../notifications/notification.ts';
import { openRulesRoom, type RulesRoom, type RulesRoomDeps } from './open-rules-room.ts';

const ROUND_MS = 5_000;
const links = createAcknowledgeLinks('key');
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
/** IDs of the silences that ended by their time. */
let over: string[];

beforeEach(async () => {
  clock = createFakeClock();
  store = await openTestStore();
  ({ read, mustWrite } = store);
  enqueue = writeBesides;
  over = [];
  venue = { circuit: 'open', clockOffsetMs: 0, lastFailure: null };
  const listeners: ((isHeld: boolean) => void)[] = [];
  let isHeld = false;
  changeLease = (next) => {
    isHeld = next;
    for (const listener of listeners) listener(next);
  };
  const stored: TestStore = { ...store, read: (work) => read(work), mustWrite: (work) => mustWrite(work) };
  room = await openRulesRoom({
    ...clock,
    log: () => undefined,
    store: stored,
    leaderStore: stored,
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
    aliasOf: (kind) => kind,
    links,
    venue: { state: () => venue as VenueState },
    rateLimiter: { state: () => ({ limit: null, used: 0 }) as RateLimiterState },
    lastSelfTest: () => ({ rows: [] }),
    holidays: () => null,
    mayNotify: (person) => person !== 'demoted',
    onChange: () => undefined,
    onSilenceOver: ({ id }) => void over.push(id),
  });
  await room.rules.put([AWAY], String, LOCAL_VIEWER);
});

/** Writes what belongs to the events, and sends none. */
const writeBesides: RulesRoomDeps['notifications']['enqueue'] = (_, besides) =>
  mustWrite(async (writing) => {
    await writing.write((await besides?.(writing)) ?? []);
  });

/** Waits until no round is running: each one ends by setting the timer of the next. */
async function passRound(): Promise<void> {
  await clock.advance(ROUND_MS);
  await vi.waitUntil(() => clock.timers() > 0);
}

const AWAY_ALERT = [{ rule_id: 'away', group: '' }];

async function acknowledge(note: string, assignee?: string, by = LOCAL_VIEWER.name): Promise<number> {
  const author = { ...LOCAL_VIEWER, name: by };
  return (await room.act((acts) => acts.acknowledge(AWAY_ALERT, { note, assignee }, author))).count;
}

async function historyOf(...fields: readonly string[]): Promise<readonly unknown[]> {
  const { changes } = await room.store.alertChanges({ ruleId: null, before: null, limit: 20 });
  return changes
    .map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>)
    .map((change) => fields.map((field) => change[field]))
    .toReversed();
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
  enqueue = (events, besides) => {
    called.push(...events.map(({ channels }) => channels));
    return writeBesides(events, besides);
  };
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
  const acknowledged = acknowledge('known');
  venue = { ...venue, circuit: 'closed' };
  await clock.advance(ROUND_MS);
  release();
  expect(await acknowledged).toBe(1);
  await passRound();
  await passRound();
  expect(await historyOf('state')).toEqual([['firing'], ['acknowledged'], ['resolved']]);
  expect(stateOf()).toMatchObject({ status: 'resolved', acknowledged: null });
  expect(await storedStates()).toMatchObject([{ status: 'resolved', acknowledged: null }]);
  expect(await acknowledge('too late')).toBe(0);
});

test('an acknowledgement while a call is left for delivery is stored', async () => {
  const { held, release } = hold();
  let isNotifying = false;
  enqueue = async (events, besides) => {
    isNotifying = true;
    await held;
    await writeBesides(events, besides);
  };
  room.start();
  changeLease(true);
  await vi.waitUntil(async () => {
    await clock.advance(ROUND_MS);
    return isNotifying;
  });
  const acknowledged = acknowledge('known');
  release();
  expect(await acknowledged).toBe(1);
  await passRound();
  const expected = { status: 'firing', called: 'firing', acknowledged: { note: 'known' } };
  expect(stateOf()).toMatchObject(expected);
  expect(await storedStates()).toMatchObject([expected]);
});

test('an acknowledgement outlives what could not be written before it', async () => {
  enqueue = () =>
    store.stopWrites().then(() => Promise.reject(new VenueFailure({ type: 'desk-cannot-write', detail: 'full' })));
  await fire();
  enqueue = writeBesides;
  await store.allowWrites();
  expect(await acknowledge('known')).toBe(1);
  await passRound();
  expect(await storedStates()).toMatchObject([{ status: 'firing', called: 'firing', acknowledged: { note: 'known' } }]);
});

test('what could not be written before another desk took over is not written after that', async () => {
  mustWrite = () => Promise.reject(new VenueFailure({ type: 'desk-cannot-write', detail: 'The disk is full.' }));
  room.start();
  changeLease(true);
  await passRound();
  changeLease(false);
  await passRound();
  ({ mustWrite } = store);
  changeLease(true);
  for (let round = 0; round < 3; round++) await passRound();
  expect(stateOf()).toMatchObject({ status: 'firing' });
  expect(await store.query('SELECT rule_id FROM alert_change')).toEqual([['away']]);
});

test('an alert is taken, handed over, noted and let go of, and the history says by whom', async () => {
  await fire();
  expect(await acknowledge('I look', undefined, 'Ann')).toBe(1);
  expect(stateOf()).toMatchObject({ acknowledged: { by: 'Ann', assignee: 'Ann' } });
  expect(await acknowledge('yours', 'Bo', 'Ann')).toBe(1);
  expect(await room.act((acts) => acts.note(AWAY_ALERT, ' called them ', { ...LOCAL_VIEWER, name: 'Bo' }))).toBe(1);
  expect(await storedStates()).toMatchObject([
    { acknowledged: { by: 'Ann', assignee: 'Bo', note: 'yours' }, notes: [{ by: 'Bo', text: 'called them' }] },
  ]);
  await expect(room.act((acts) => acts.note(AWAY_ALERT, ' ', LOCAL_VIEWER))).rejects.toThrow();
  expect(await room.act((acts) => acts.endAcknowledgements(AWAY_ALERT, LOCAL_VIEWER))).toBe(1);
  expect(await room.act((acts) => acts.endAcknowledgements(AWAY_ALERT, LOCAL_VIEWER))).toBe(0);
  expect(stateOf()).toMatchObject({ status: 'firing', acknowledged: null });
  expect(await historyOf('state', 'by', 'note')).toEqual([
    ['firing', undefined, undefined],
    ['acknowledged', 'Ann', 'I look'],
    ['handed over', 'Ann', 'To Bo. yours'],
    ['note', 'Bo', 'called them'],
    ['acknowledgement ended', LOCAL_VIEWER.name, ''],
  ]);
});

test('an acknowledgement names the channel of the link that led to it, which is of no use for any other alert', async () => {
  const startedAt = (await fire().then(stateOf))?.startedAt ?? 0;
  const linkOf = (change: Partial<AlertEvent>, desk = links): string => {
    const path = desk.pathOf(sampleEvent(1, { ruleId: 'away', group: '', startedAt, ...change }), 'night') ?? '';
    return new URL(path, 'http://desk').searchParams.get('acknowledge') ?? '';
  };
  const act = (link: string) => room.act((acts) => acts.acknowledge(AWAY_ALERT, { note: '', link }, LOCAL_VIEWER));
  const wrong = [
    ...[linkOf({ startedAt: startedAt - 1 }), linkOf({ group: 'A' }), linkOf({ ruleId: 'other' })],
    ...[linkOf({}, createAcknowledgeLinks('another key')), linkOf({ state: 'resolved' }), 'night', ''],
  ];
  for (const link of wrong) await expect(act(link), link).rejects.toThrow('link');
  expect(stateOf()).toMatchObject({ acknowledged: null });
  expect(await act(linkOf({}))).toEqual({ count: 1, channel: 'night' });
  expect(await historyOf('state', 'channel')).toEqual([
    ['firing', undefined],
    ['acknowledged', 'night'],
  ]);
});

test('what is done with many alerts of a rule at once is one change in the history', async () => {
  const groups = ['A', 'B', 'C', 'D', 'E', 'F'];
  const state = { ...(await fire().then(stateOf)) } as NonNullable<ReturnType<typeof stateOf>>;
  for (const group of groups) room.board.set({ rule: AWAY, group, state, reading: null, missing: null }, state);
  const many = groups.map((group) => ({ rule_id: 'away', group }));
  const done = room.act((acts) =>
    acts.acknowledge([...many, ...many, { rule_id: 'away', group: 'G' }], { note: '' }, LOCAL_VIEWER),
  );
  expect(await done).toEqual({ count: groups.length });
  expect((await historyOf('state', 'group', 'sentence')).slice(1)).toEqual([
    ['acknowledged', '', 'Away, 6 alerts: A, B, C and 3 more.'],
  ]);
});

test('a silence begins and ends in the history, whether by a person or by its time', async () => {
  await fire();
  const matches = [{ rule_id: 'away' }];
  const silence = (ms: number) =>
    room.act((acts) => acts.silence({ matches, until: clock.now() + ms, note: 'tests' }, LOCAL_VIEWER));
  await expect(silence(30_000)).rejects.toThrow();
  const [first] = await silence(60_000);
  const [second] = await silence(3_600_000);
  await room.act((acts) => acts.endSilence(second?.id ?? '', LOCAL_VIEWER));
  expect(room.silences.all()).toHaveLength(1);
  await clock.advance(60_000);
  await passRound();
  expect([room.silences.all(), over]).toEqual([[], [first?.id]]);
  expect((await historyOf('state', 'by', 'note')).slice(1)).toEqual([
    ['silenced', LOCAL_VIEWER.name, 'tests'],
    ['silenced', LOCAL_VIEWER.name, 'tests'],
    ['silence ended', LOCAL_VIEWER.name, 'tests'],
    ['silence ended', '', 'tests'],
  ]);
});

test('the shift note is replaced only by those who have read the last one, and who may see all orders', async () => {
  const limited = {
    ...LOCAL_VIEWER,
    scope: { accounts: new Set(['A']), firms: new Set<string>(), connections: new Set<string>() },
  };
  await expect(room.shiftNotes.put('Hello', 0, limited)).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
  await room.shiftNotes.put(' MERI is back on Monday. ', 0, LOCAL_VIEWER);
  await expect(room.shiftNotes.put('Other', 0, LOCAL_VIEWER)).rejects.toMatchObject({
    problem: { type: 'changed-meanwhile' },
  });
  expect(room.shiftNotes.current()).toMatchObject({ text: 'MERI is back on Monday.', version: 1 });
});
