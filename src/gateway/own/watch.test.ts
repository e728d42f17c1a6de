import { expect, test } from 'vitest';
import { VENUES } from '#contract/venues.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { VenueFailure, type Reader } from '../ports.ts';
import { toPublicQuestion } from '../question.ts';
import { createWatch } from './watch.ts';

const down = () => Promise.reject(new VenueFailure({ type: 'venue-unreachable', detail: 'down' }));
const mistaken = () => Promise.reject(new TypeError('mistake'));

/** A watch before a reader that does what the test says, and of which no venue has answered yet. */
function open() {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('There is no profile of the sandbox.');
  const clock = createFakeClock();
  const errors: unknown[] = [];
  const script = { does: down as Reader['ask'], asked: 0 };
  const reader: Reader = {
    find: () => undefined,
    ask: (question, options) => {
      script.asked += 1;
      return script.does(question, options);
    },
    state: () => expect.fail('not asked for'),
    close: () => Promise.resolve(),
  };
  const watch = createWatch({
    profile,
    reader,
    question: toPublicQuestion(profile),
    venue: () => ({ baseUrl: '', clockOffsetMs: null, circuit: 'closed', lastAnswerAt: null, lastReads: new Map(), lastFailure: null, lastRefusal: null }),
    schedule: clock.schedule,
    now: clock.now,
    log: (level, event, fields) => {
      if (level === 'error') errors.push([event, fields]);
    },
  });
  return { watch, clock, script, errors };
}

test('a self-test that fails by a mistake is told, and tried again', async () => {
  const { watch, clock, script, errors } = open();
  script.does = mistaken;
  watch.start();
  await clock.advance(0);
  expect(watch.lastSelfTest()).toBeNull();
  expect(errors).toEqual([['the watch failed', { reason: 'TypeError: mistake' }]]);
  script.does = down;
  await clock.advance(20_000);
  expect(watch.lastSelfTest()?.rows.every(({ outcome }) => outcome !== 'good')).toBe(true);
});

test('a mistake while the venue is away does not end the asking whether it is back', async () => {
  const { watch, clock, script } = open();
  watch.start();
  await clock.advance(0);
  script.does = mistaken;
  await clock.advance(10_000);
  script.does = down;
  const asked = script.asked;
  await clock.advance(40_000);
  expect(script.asked - asked).toBe(3);
});

test('each mistake in a row doubles the pause, up to five minutes', async () => {
  const { watch, clock, script } = open();
  script.does = mistaken;
  watch.start();
  await clock.advance(0);
  await clock.advance(1_200_000);
  expect(script.asked).toBe(8);
});

test('closed, it asks nothing more, whatever becomes of what is out', async () => {
  for (const does of [mistaken, down]) {
    const { watch, clock, script, errors } = open();
    script.does = does;
    watch.start();
    watch.close();
    await clock.advance(60_000);
    expect({ errors, timers: clock.timers() }).toEqual({ errors: [], timers: 0 });
  }
});
