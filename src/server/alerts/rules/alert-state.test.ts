import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  afterNotification,
  findNotification,
  isFlapping,
  shiftTimes,
  withoutData,
  type AlertState,
  type Verdict,
} from './alert-state.ts';

const MINUTE = 60_000;
type Notification = NonNullable<ReturnType<typeof findNotification>>;

/** Applies one verdict a minute; returns the states, and the notifications with their times. */
function follow(verdicts: readonly Verdict[], forMs = 0, isMuted: (step: number) => boolean = () => false) {
  let state: AlertState | null = null;
  const [statuses, notifications] = [[] as string[], [] as (readonly [step: number, notification: Notification])[]];
  verdicts.forEach((verdict, step) => {
    const now = step * MINUTE;
    state = advance(state, verdict, now, forMs);
    const notification = state === null ? null : findNotification(state, { now, forMs, isMuted: isMuted(step) });
    if (state !== null && notification !== null) {
      notifications.push([step, notification]);
      state = afterNotification(state, notification, now);
    }
    statuses.push(state?.status ?? 'none');
  });
  return { statuses, notifications, state: state as AlertState | null };
}

describe('an alert', () => {
  it('is pending until it has held for long enough, then fires, is called once, and is resolved', () => {
    const { statuses, notifications } = follow([false, true, true, true, true, false, false], 2 * MINUTE);
    expect(statuses).toEqual(['none', 'pending', 'pending', 'firing', 'firing', 'resolved', 'resolved']);
    expect(notifications).toEqual([
      [3, 'firing'],
      [5, 'resolved'],
    ]);
  });

  it('that ceases to hold while it is pending was nothing', () => {
    expect(follow([true, false, true, false], 5 * MINUTE)).toMatchObject({
      statuses: ['pending', 'none', 'pending', 'none'],
      notifications: [],
    });
  });

  it('without data says so, and fires on as the same when they are back', () => {
    const { statuses, notifications, state } = follow([true, null, null, true]);
    expect(statuses).toEqual(['firing', 'no data', 'no data', 'firing']);
    expect(notifications).toEqual([
      [0, 'firing'],
      [1, 'no data'],
      [3, 'firing'],
    ]);
    expect(state?.startedAt).toBe(0);
  });

  it('keeps the time at which it began to fire, however long it must hold and however often data are lost', () => {
    expect(follow([true, true, null, true, null, null, true], MINUTE).state).toMatchObject({
      status: 'firing',
      since: 6 * MINUTE,
      startedAt: MINUTE,
    });
    expect(follow([true, null, false, true]).state).toMatchObject({ status: 'firing', startedAt: 3 * MINUTE });
  });

  it('that had no data before it first fired began with these only if it fired at once when they were back', () => {
    expect(follow([null, null, true, true, true], 2 * MINUTE).state).toMatchObject({
      status: 'firing',
      startedAt: 4 * MINUTE,
    });
    expect(follow([null, true, true], 2 * MINUTE).state).toMatchObject({ status: 'pending', startedAt: null });
    const called = follow([null, null, null, true, true, true, false], 2 * MINUTE);
    expect(called.notifications).toEqual([
      [2, 'no data'],
      [3, 'data again'],
      [5, 'firing'],
      [6, 'resolved'],
    ]);
    expect(called.state?.startedAt).toBe(5 * MINUTE);
    expect(follow([null, true]).state?.startedAt).toBe(0);
  });

  it('whose data are back and do not show it is resolved only if it fired before', () => {
    expect(follow([null, false])).toMatchObject({
      notifications: [
        [0, 'no data'],
        [1, 'data again'],
      ],
      state: { status: 'data again' },
    });
    expect(follow([true, null, false]).notifications).toEqual([
      [0, 'firing'],
      [1, 'no data'],
      [2, 'resolved'],
    ]);
    expect(follow([null, true, false], 2 * MINUTE).notifications).toEqual([]);
  });

  it('is not called while it is muted, but afterwards, if it still holds', () => {
    expect(follow([true, true, true], 0, (step) => step < 2).notifications).toEqual([[2, 'firing']]);
    expect(follow([true, true, false], 0, () => true).notifications).toEqual([]);
  });

  it('that was called is called off also while it is muted', () => {
    expect(follow([true, false], 0, (step) => step > 0).notifications).toEqual([
      [0, 'firing'],
      [1, 'resolved'],
    ]);
  });

  it('that flaps is called no more, until it has not held for ten minutes', () => {
    const flapping = Array.from({ length: 20 }, (_, step) => step % 2 === 0);
    const { notifications, state } = follow(flapping);
    expect(notifications).toEqual([
      [0, 'firing'],
      [1, 'resolved'],
      [2, 'firing'],
      [3, 'resolved'],
      [4, 'firing'],
    ]);
    expect(state && isFlapping(state, 20 * MINUTE)).toBe(true);
    expect(follow([...flapping, ...Array.from({ length: 12 }, () => false)]).notifications.at(-1)).toEqual([
      29,
      'resolved',
    ]);
  });

  it('that comes and goes while it is only pending is resolved as it was before, and still known to flap', () => {
    const twice = [true, true, false, true, true, false];
    const before = follow(twice, MINUTE).state;
    expect(before).toMatchObject({ status: 'resolved', since: 5 * MINUTE, startedAt: 4 * MINUTE });
    const after = follow([...twice, true, false], MINUTE);
    expect(after.state).toEqual(before);
    expect(follow([...twice, true, false, true, true, false], MINUTE).statuses.slice(-2)).toEqual(['firing', 'firing']);
    const pending = follow([...twice, true], MINUTE).state;
    expect(pending && withoutData(pending)).toEqual(before);
  });

  it('waits as long as it should when the clock is set, forward or back', () => {
    const pending = advance(null, true, 10 * MINUTE, 5 * MINUTE);
    const ahead = pending && shiftTimes(pending, 60 * MINUTE);
    expect(ahead && advance(ahead, true, 71 * MINUTE, 5 * MINUTE)?.status).toBe('pending');
    expect(ahead && advance(ahead, true, 75 * MINUTE, 5 * MINUTE)?.status).toBe('firing');
    const back = pending && advance(pending, true, 2 * MINUTE, 5 * MINUTE);
    expect(back && advance(back, true, 7 * MINUTE, 5 * MINUTE)?.status).toBe('firing');
  });

  it('that was pending when all data of its rule were lost begins anew', () => {
    const [pending, firing] = [advance(null, true, 0, MINUTE), advance(null, true, 0, 0)];
    expect(pending && withoutData(pending)).toBeNull();
    expect(firing && withoutData(firing)).toBe(firing);
  });

  it('is over and forgotten a day later', () => {
    const resolved = follow([true, false]).state;
    expect(advance(resolved, false, 24 * 60 * MINUTE, 0)).toBe(resolved);
    expect(advance(resolved, false, 24 * 60 * MINUTE + 2 * MINUTE, 0)).toBeNull();
  });
});

describe('whatever the verdicts', () => {
  const verdicts = fc.array(fc.constantFrom<Verdict>(true, false, null), { maxLength: 40 });

  it('it fires only after it has held all the time, by a naive look back', () => {
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 0, max: 4 }), (given, minutes) => {
        const { statuses } = follow(given, minutes * MINUTE);
        statuses.forEach((status, step) => {
          const begins =
            status === 'firing' && statuses[step - 1] !== 'firing' && !statuses.slice(0, step).includes('firing');
          if (begins)
            expect(given.slice(step - minutes, step + 1)).toEqual(Array.from({ length: minutes + 1 }, () => true));
          if (given[step] === null) expect(status).toBe('no data');
          if (given[step] === true) expect(status).not.toBe('none');
        });
      }),
    );
  });

  it('a call off follows a call, no call is repeated, and in the end nothing that was called is left open', () => {
    fc.assert(
      fc.property(
        verdicts,
        fc.integer({ min: 0, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        (given, minutes, muted) => {
          const { notifications } = follow(
            [...given, ...Array.from({ length: 15 }, () => false)],
            minutes * MINUTE,
            (step) => muted[step] === true,
          );
          notifications.forEach(([, notification], index) => {
            const before = notifications[index - 1]?.[1];
            expect(before).not.toBe(notification);
            if (notification === 'resolved') expect(['firing', 'no data']).toContain(before);
            if (notification === 'data again') expect(before).toBe('no data');
          });
          if (notifications.length > 0) expect(['resolved', 'data again']).toContain(notifications.at(-1)?.[1]);
        },
      ),
    );
  });

  it('it is resolved only if it fired since it was nothing, pending or over', () => {
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 0, max: 4 }), (given, minutes) => {
        const { statuses } = follow(given, minutes * MINUTE);
        statuses.forEach((status, step) => {
          if (status !== 'resolved' || statuses[step - 1] === 'resolved' || statuses[step - 1] === 'pending') return;
          const before = statuses.slice(0, step);
          expect(before.slice(before.findLastIndex((one) => one !== 'firing' && one !== 'no data') + 1)).toContain(
            'firing',
          );
        });
      }),
    );
  });

  it('how often it came and went is forgotten only once it has been over for a day, and calls stay few', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<Verdict>(true, true, false, null), { maxLength: 80 }),
        fc.integer({ min: 0, max: 3 }),
        (given, minutes) => {
          let before: AlertState | null = null;
          given.forEach((verdict, step) => {
            const state: AlertState | null = advance(before, verdict, step * MINUTE, minutes * MINUTE);
            const turns: readonly number[] = before?.turns ?? [];
            expect([turns, [...turns, step * MINUTE].slice(-5)]).toContainEqual(state?.turns ?? []);
            before = state;
          });
          const fired = follow(given, minutes * MINUTE)
            .notifications.filter(([, notification]) => notification === 'firing')
            .map(([step]) => step);
          fired.forEach((step, index) => {
            if (!given.includes(null)) expect(step - (fired[index - 3] ?? -Infinity)).toBeGreaterThan(10);
          });
        },
      ),
    );
  });

  it('a restart between any two of them changes nothing', () => {
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 0, max: 4 }), (given, minutes) => {
        let state: AlertState | null = null;
        given.forEach((verdict, step) => {
          state = JSON.parse(
            JSON.stringify(advance(state, verdict, step * MINUTE, minutes * MINUTE)),
          ) as AlertState | null;
        });
        const plain = given.reduce<AlertState | null>(
          (before, verdict, step) => advance(before, verdict, step * MINUTE, minutes * MINUTE),
          null,
        );
        expect(state).toEqual(plain);
      }),
    );
  });
});
