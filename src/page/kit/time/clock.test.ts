import { describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';

function startClock() {
  const state = { time: 1_000, hidden: false, ticks: new Set<() => void>(), seen: [] as number[] };
  let show = (): void => undefined;
  const clock = createClock({
    now: () => state.time,
    everySecond: (tick) => {
      state.ticks.add(tick);
      return () => state.ticks.delete(tick);
    },
    isHidden: () => state.hidden,
    onVisible: (listener) => (show = listener),
  });
  const advance = (ms: number): void => {
    state.time += ms;
    for (const tick of state.ticks) tick();
  };
  return {
    clock,
    state,
    advance,
    reveal: () => {
      state.hidden = false;
      show();
    },
  };
}

describe('the screen clock', () => {
  it('ticks once for all listeners, and not without any', () => {
    const { clock, state, advance } = startClock();
    const stops = [1, 2].map(() => clock.subscribe(() => state.seen.push(clock.read())));
    expect(state.ticks.size).toBe(1);
    advance(1_000);
    expect(state.seen).toEqual([2_000, 2_000]);
    for (const stop of stops) stop();
    expect(state.ticks.size).toBe(0);
  });

  it('pauses while hidden, and is right at once when visible again', () => {
    const { clock, state, advance, reveal } = startClock();
    clock.subscribe(() => state.seen.push(clock.read()));
    state.hidden = true;
    advance(60_000);
    expect(state.seen).toEqual([]);
    reveal();
    expect(state.seen).toEqual([61_000]);
  });
});
