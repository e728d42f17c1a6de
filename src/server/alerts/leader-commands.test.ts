import { beforeEach, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createLeaderStore } from '#server/store/leader-store.ts';
import { leaderEpochs } from '#server/store/tables.ts';
import { createLeaderCommands } from './leader-commands.ts';

let clock: FakeClock;
let database: TestStore;
let epoch: number;
/** Whether no other desk is alive, and how often desks have read. */
let [isAlone, reads] = [false, 0];

beforeEach(async () => {
  clock = createFakeClock();
  database = await openTestStore();
  epoch = 0;
  [isAlone, reads] = [false, 0];
});

/** Opens a desk that follows, and notes what it performs. */
function openDesk(answer: (note: string) => Promise<object> = (note) => Promise.resolve({ note })) {
  const performed: string[] = [];
  const own = { isHeld: false, epoch: 0 };
  const lease = { isHeld: () => own.isHeld, epoch: () => own.epoch };
  const store = { ...database, isShared: true };
  const commands = createLeaderCommands(
    {
      ...clock,
      store: {
        ...store,
        read: (read) => {
          reads += 1;
          return store.read(read);
        },
      },
      leaderStore: createLeaderStore(store, lease),
      lease,
      isAlone: () => isAlone,
      log: () => undefined,
    },
    {
      note: (note: string) => {
        performed.push(note);
        return answer(note);
      },
    },
  );
  commands.start();
  return {
    ...{ commands, performed },
    lead: async () => {
      epoch += 1;
      await database.driver.write([{ table: leaderEpochs, rows: [[1, epoch]] }]);
      Object.assign(own, { isHeld: true, epoch });
    },
    die: () => {
      own.isHeld = false;
    },
  };
}

/** Lets time pass in small steps, so that what waits for the store goes on in between. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds * 10; left > 0; left--) {
    await clock.advance(100);
    await new Promise(setImmediate);
  }
}

function resultOf(sent: Promise<unknown>): Promise<unknown> {
  return sent.catch((error: unknown) => (error instanceof VenueFailure ? error.problem : error));
}

test('the leader does what is asked at another desk, once, and its result or problem is the answer there', async () => {
  const [leader, other] = [
    openDesk((note) =>
      note === 'bad'
        ? Promise.reject(new VenueFailure({ type: 'too-soon', detail: 'Wait.', retryAfterSeconds: 3 }))
        : Promise.resolve({ note }),
    ),
    openDesk(),
  ];
  await leader.lead();
  const [good, bad] = [other.commands.perform('note', 'good'), resultOf(other.commands.perform('note', 'bad'))];
  await pass(3);
  expect(await good).toEqual({ note: 'good' });
  expect(await bad).toEqual({ type: 'too-soon', detail: 'Wait.', retryAfterSeconds: 3 });
  expect(await leader.commands.perform('note', 'own')).toEqual({ note: 'own' });
  await pass(3);
  expect([leader.performed.toSorted(), other.performed]).toEqual([['bad', 'good', 'own'], []]);
});

test('what a leader began before it died is not done again, and the answer says that the outcome is unknown', async () => {
  const [first, second, other] = [openDesk(() => new Promise(() => undefined)), openDesk(), openDesk()];
  await first.lead();
  const sent = resultOf(other.commands.perform('note', 'once'));
  await pass(1);
  first.die();
  await second.lead();
  await pass(40);
  expect(await sent).toMatchObject({ type: 'leader-silent', detail: expect.stringContaining('not known') as string });
  expect([first.performed, second.performed]).toEqual([['once'], []]);
});

test('what nobody leads to take is taken back, and not done later', async () => {
  const [late, other] = [openDesk(), openDesk()];
  const sent = resultOf(other.commands.perform('note', 'lost'));
  await pass(8);
  expect(await sent).toMatchObject({
    type: 'leader-silent',
    detail: expect.stringContaining('nothing was done') as string,
  });
  await late.lead();
  await pass(2);
  expect(late.performed).toEqual([]);
});

test('a leader that is alone looks for no commands', async () => {
  isAlone = true;
  const leader = openDesk();
  await leader.lead();
  await pass(3);
  expect(reads).toBe(0);
  isAlone = false;
  await pass(1);
  expect(reads).toBeGreaterThan(0);
  await leader.commands.close();
});
