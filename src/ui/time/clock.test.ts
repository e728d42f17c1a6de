import { describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';

function startClock() {
  const state = { time: 1_000, hidden: false, beats: new Set<() => void>(), seen: [] as number[] };
  let show = (): void => undefined;
  const clock = createClock({
    now: () => state.time,
    everySecond: (beat) => {
      state.beats.add(beat);
      return () => state.beats.delete(beat);
    },
    isHidden: () => state.hidden,
    onVisible: (listener) => (show = listener),
  });
  const advance = (ms: number): void => {
    state.time += ms;
    for (const beat of state.beats) beat();
  };
  return { clock, state, advance, reveal: () => { state.hidden = false; show(); } };
}

describe('the clock of the screens', () => {
  it('beats once for all that listen, and not at all when nobody does', () => {
    const { clock, state, advance } = startClock();
    const stops = [1, 2].map(() => clock.subscribe(() => state.seen.push(clock.read())));
    expect(state.beats.size).toBe(1);
    advance(1_000);
    expect(state.seen).toEqual([2_000, 2_000]);
    for (const stop of stops) stop();
    expect(state.beats.size).toBe(0);
  });

  it('rests while hidden, and is right at once when seen again', () => {
    const { clock, state, advance, reveal } = startClock();
    clock.subscribe(() => state.seen.push(clock.read()));
    state.hidden = true;
    advance(60_000);
    expect(state.seen).toEqual([]);
    reveal();
    expect(state.seen).toEqual([61_000]);
  });
});
