import { describe, expect, it } from 'vitest';
import { createAgenda, RANKS } from './agenda.ts';
import { createRandom } from './random.ts';

describe('createAgenda', () => {
  it('runs things in the order of their times, however they were added', () => {
    const agenda = createAgenda();
    const random = createRandom(7, 'agenda');
    const ran: number[] = [];
    const times = Array.from({ length: 500 }, () => random.between(1, 10_000));
    for (const time of times) agenda.add(time, RANKS.trade, (now) => ran.push(now));
    while (agenda.next() < Infinity) agenda.runNext();
    expect(ran).toEqual(times.toSorted((a, b) => a - b));
  });

  it('runs what is due at one instant by rank, then in the order of adding', () => {
    const agenda = createAgenda();
    const ran: string[] = [];
    const add = (name: string, rank: (typeof RANKS)[keyof typeof RANKS]): void => {
      agenda.add(5, rank, () => ran.push(name));
    };
    add('first trade', RANKS.trade);
    add('pulse', RANKS.pulse);
    add('second trade', RANKS.trade);
    add('settlement', RANKS.settlement);
    while (agenda.next() < Infinity) agenda.runNext();
    expect(ran).toEqual(['settlement', 'pulse', 'first trade', 'second trade']);
  });

  it('takes in what a thing adds while it runs', () => {
    const agenda = createAgenda();
    const ran: number[] = [];
    const again = (now: number): void => {
      ran.push(now);
      if (now < 50) agenda.add(now + 10, RANKS.trade, again);
    };
    agenda.add(10, RANKS.trade, again);
    while (agenda.next() < Infinity) agenda.runNext();
    expect(ran).toEqual([10, 20, 30, 40, 50]);
    expect(agenda.next()).toBe(Infinity);
  });
});
