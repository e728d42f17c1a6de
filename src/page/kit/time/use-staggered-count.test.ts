import { expect, it } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createThrottle } from './use-staggered-count.tsx';

function startThrottle() {
  const clock = createFakeClock();
  const throttle = createThrottle({ now: clock.elapsed, setTimer: clock.schedule });
  const steps: (readonly [who: string, at: number])[] = [];
  const take = (who: string): (() => void) => throttle.next(() => steps.push([who, clock.elapsed()]));
  return { clock, steps, take };
}

it('the first step runs at once, and so does one after a long pause', async () => {
  const { clock, steps, take } = startThrottle();
  take('list');
  await clock.advance(0);
  await clock.advance(60_000);
  take('list');
  await clock.advance(0);
  expect(steps).toEqual([
    ['list', 0],
    ['list', 60_000],
  ]);
});

it('switching screens does not speed up steps', async () => {
  const { clock, steps, take } = startThrottle();
  take('list');
  await clock.advance(200);
  const leave = take('list');
  leave();
  take('comparison');
  await clock.advance(60_000);
  expect(steps).toEqual([
    ['list', 0],
    ['comparison', 500],
  ]);
});
