import { expect, it } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createThrottle } from './throttle.ts';

function startPace() {
  const clock = createFakeClock();
  const pace = createThrottle({ now: clock.elapsed, setTimer: clock.schedule });
  const steps: (readonly [who: string, at: number])[] = [];
  const take = (who: string): (() => void) => pace.next(() => steps.push([who, clock.elapsed()]));
  return { clock, steps, take };
}

it('the first step is taken at once, and one after a long pause too', async () => {
  const { clock, steps, take } = startPace();
  take('list');
  await clock.advance(0);
  await clock.advance(60_000);
  take('list');
  await clock.advance(0);
  expect(steps).toEqual([['list', 0], ['list', 60_000]]);
});

it('going from one screen to another asks no faster', async () => {
  const { clock, steps, take } = startPace();
  take('list');
  await clock.advance(500);
  const leave = take('list');
  leave();
  take('comparison');
  await clock.advance(60_000);
  expect(steps).toEqual([['list', 0], ['comparison', 2_000]]);
});
