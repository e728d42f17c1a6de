import { describe, expect, it } from 'vitest';
import type { EndpointName } from '#contract/endpoints.ts';
import { VenueFailure, type Problem } from '../ports.ts';
import { createCircuit, type Circuit } from './circuit.ts';

const down: Problem = { type: 'venue-timeout', detail: 'It sleeps.' };

function openCircuit() {
  let now = 1_000;
  const circuit = createCircuit(() => now);
  return {
    circuit,
    advance: (milliseconds: number): void => {
      now += milliseconds;
    },
    /** At one endpoint and another in turn, unless at these. */
    fail: (times: number, endpoints: readonly EndpointName[] = ['orders', 'chartVoi'], problem = down): void => {
      for (let time = 0; time < times; time++) circuit.enter(endpoints[time % endpoints.length] ?? 'orders').failed(problem);
    },
  };
}

function refusalOf(circuit: Circuit): Problem | null {
  try {
    circuit.enter('orders').left();
    return null;
  } catch (error) {
    if (error instanceof VenueFailure) return error.problem;
    throw error;
  }
}

describe('a circuit', () => {
  it('opens after five failures in a row', () => {
    const { circuit, fail } = openCircuit();
    fail(4);
    expect(circuit.state()).toBe('closed');
    circuit.enter('orders').succeeded();
    fail(4);
    expect(circuit.state()).toBe('closed');
    fail(1);
    expect(circuit.state()).toBe('open');
    expect(refusalOf(circuit)).toEqual({ type: 'venue-timeout', detail: 'It sleeps. The desk pauses before it asks again.', retryAfterSeconds: 2 });
  });

  it('stays closed however often one endpoint alone fails, and opens when another fails, too', () => {
    const { circuit, fail } = openCircuit();
    fail(50, ['trailingStatsAll']);
    expect(circuit.state()).toBe('closed');
    fail(1, ['orders']);
    expect(circuit.state()).toBe('open');
  });

  it('opens when the venue is out of reach, whatever it was asked', () => {
    const { circuit, fail } = openCircuit();
    fail(5, ['orders'], { type: 'venue-unreachable', detail: 'Nothing listens.' });
    expect(circuit.state()).toBe('open');
  });

  it('learns nothing from what was dropped', () => {
    const { circuit, fail } = openCircuit();
    fail(4);
    circuit.enter('orders').left();
    fail(1);
    expect(circuit.state()).toBe('open');
  });

  it('lets one through when the time is over, and closes when that succeeds', () => {
    const { circuit, fail, advance } = openCircuit();
    fail(5);
    advance(1_999);
    expect(refusalOf(circuit)?.retryAfterSeconds).toBe(1);
    advance(1);
    const probe = circuit.enter('orders');
    expect(circuit.state()).toBe('half-open');
    expect(refusalOf(circuit)).toMatchObject({ retryAfterSeconds: 1 });
    probe.succeeded();
    expect(circuit.state()).toBe('closed');
    expect(refusalOf(circuit)).toBeNull();
    fail(4);
    expect(circuit.state()).toBe('closed');
  });

  it('lets the next one through where the first was dropped', () => {
    const { circuit, fail, advance } = openCircuit();
    fail(5);
    advance(2_000);
    circuit.enter('orders').left();
    expect(circuit.state()).toBe('open');
    circuit.enter('orders').succeeded();
    expect(circuit.state()).toBe('closed');
  });

  it('waits twice as long after each failed one, up to half a minute', () => {
    const { circuit, fail, advance } = openCircuit();
    fail(5);
    const waits = [2, 4, 8, 16, 30, 30].map((seconds) => {
      const said = refusalOf(circuit)?.retryAfterSeconds;
      advance(seconds * 1_000);
      circuit.enter('orders').failed(down);
      return said;
    });
    expect(waits).toEqual([2, 4, 8, 16, 30, 30]);
  });

  it('begins anew with a short wait after it was closed', () => {
    const { circuit, fail, advance } = openCircuit();
    fail(5);
    advance(2_000);
    fail(1);
    advance(4_000);
    circuit.enter('orders').succeeded();
    fail(5);
    expect(refusalOf(circuit)?.retryAfterSeconds).toBe(2);
  });

  it('takes many that were out together for one failure', () => {
    const { circuit } = openCircuit();
    const out = Array.from({ length: 50 }, (_, index) => circuit.enter(index % 2 === 0 ? 'orders' : 'chartVoi'));
    for (const pass of out) pass.failed(down);
    expect(refusalOf(circuit)?.retryAfterSeconds).toBe(2);
  });

  it('does not take one that was out before for the one let through', () => {
    const { circuit, fail, advance } = openCircuit();
    const early = circuit.enter('orders');
    const earlier = circuit.enter('orders');
    fail(5);
    advance(2_000);
    const probe = circuit.enter('orders');
    early.failed(down);
    earlier.left();
    expect(circuit.state()).toBe('half-open');
    expect(refusalOf(circuit)).not.toBeNull();
    probe.failed(down);
    expect(refusalOf(circuit)?.retryAfterSeconds).toBe(4);
  });

  it('closes when one that was out before succeeds: the venue is there', () => {
    const { circuit, fail } = openCircuit();
    const early = circuit.enter('orders');
    fail(5);
    early.succeeded();
    expect(circuit.state()).toBe('closed');
  });
});
