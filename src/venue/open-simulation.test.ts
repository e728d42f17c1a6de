import { describe, expect, it } from 'vitest';
import { createExchangeClock } from './open-simulation.ts';

function clockOf(speed: number) {
  let wall = 5_000;
  const clock = createExchangeClock({ wall: () => wall, start: 1_000_000, speed });
  return { now: clock.now, pass: (milliseconds: number) => (wall += milliseconds) };
}

describe('createExchangeClock', () => {
  it('starts at the given instant and follows the wall clock', () => {
    const { now, pass } = clockOf(1);
    expect(now()).toBe(1_000_000);
    pass(2);
    expect(now()).toBe(1_002_000);
  });

  it('runs at the given speed', () => {
    const { now, pass } = clockOf(60.5);
    pass(1_000);
    expect(now()).toBe(61_500_000);
  });

  it('never goes back, not even when the wall clock does', () => {
    const { now, pass } = clockOf(1);
    pass(10);
    expect(now()).toBe(1_010_000);
    pass(-500);
    expect(now()).toBe(1_010_000);
  });
});
