import { describe, expect, it } from 'vitest';
import { createEventQueue, EVENT_RANKS } from './event-queue.ts';
import { createRandom } from '../../core/random.ts';

describe('createEventQueue', () => {
  it('runs events by time, in whatever order they were added', () => {
    const events = createEventQueue();
    const random = createRandom(7, 'agenda');
    const ran: number[] = [];
    const times = Array.from({ length: 500 }, () => random.between(1, 10_000));
    for (const time of times) events.add(time, EVENT_RANKS.trade, (now) => ran.push(now));
    while (events.next() < Infinity) events.runNext();
    expect(ran).toEqual(times.toSorted((a, b) => a - b));
  });

  it('runs events of one instant by rank, then in order of adding', () => {
    const events = createEventQueue();
    const ran: string[] = [];
    const add = (name: string, rank: (typeof EVENT_RANKS)[keyof typeof EVENT_RANKS]): void => {
      events.add(5, rank, () => ran.push(name));
    };
    add('first trade', EVENT_RANKS.trade);
    add('pulse', EVENT_RANKS.sample);
    add('second trade', EVENT_RANKS.trade);
    add('settlement', EVENT_RANKS.settlement);
    while (events.next() < Infinity) events.runNext();
    expect(ran).toEqual(['settlement', 'pulse', 'first trade', 'second trade']);
  });

  it('accepts events that a running event adds', () => {
    const events = createEventQueue();
    const ran: number[] = [];
    const again = (now: number): void => {
      ran.push(now);
      if (now < 50) events.add(now + 10, EVENT_RANKS.trade, again);
    };
    events.add(10, EVENT_RANKS.trade, again);
    while (events.next() < Infinity) events.runNext();
    expect(ran).toEqual([10, 20, 30, 40, 50]);
    expect(events.next()).toBe(Infinity);
  });
});
