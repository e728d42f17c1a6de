import { describe, expect, it } from 'vitest';
import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import { type CircuitBreaker, createCircuitBreaker } from './venue-client.ts';

const down: Problem = { type: 'venue-timeout', detail: 'It sleeps.' };

function openCircuit() {
  let now = 1_000;
  const circuit = createCircuitBreaker(() => now);
  return {
    circuit,
    advance: (milliseconds: number): void => {
      now += milliseconds;
    },
    /** Alternates between endpoints. */
    fail: (times: number, endpoints: readonly EndpointName[] = ['orders', 'chartVoi'], problem = down): void => {
      for (let time = 0; time < times; time++)
        circuit.enter(endpoints[time % endpoints.length] ?? 'orders').failed(problem);
    },
  };
}

function pauseOf(circuit: CircuitBreaker): Problem | null {
  try {
    circuit.enter('orders').abandoned();
    return null;
  } catch (error) {
    if (error instanceof VenueFailure) return error.problem;
    throw error;
  }
}

describe('a circuit breaker', () => {
  it('opens after five failures in a row', () => {
    const { circuit, fail } = openCircuit();
    fail(4);
    expect(circuit.state()).toBe('closed');
    circuit.enter('orders').succeeded();
    fail(4);
    expect(circuit.state()).toBe('closed');
    fail(1);
    expect(circuit.state()).toBe('open');
    expect(pauseOf(circuit)).toEqual({
      type: 'venue-timeout',
      detail: 'It sleeps. Perpdesk pauses before it retries.',
      retryAfterSeconds: 2,
    });
  });

  it('stays closed however often one endpoint alone fails, and opens when another fails, too', () => {
    const { circuit, fail } = openCircuit();
    fail(50, ['trailingStatsAll']);
    expect(circuit.state()).toBe('closed');
    fail(1, ['orders']);
    expect(circuit.state()).toBe('open');
  });

  it('opens when the exchange is unreachable, whichever endpoints fail', () => {
    const { circuit, fail } = openCircuit();
    fail(5, ['orders'], { type: 'venue-unreachable', detail: 'Nothing listens.' });
    expect(circuit.state()).toBe('open');
  });

  it('ignores dropped reads', () => {
    const { circuit, fail } = openCircuit();
    fail(4);
    circuit.enter('orders').abandoned();
    fail(1);
    expect(circuit.state()).toBe('open');
  });

  it('lets one read through after the pause, and closes when it succeeds', () => {
    const { circuit, fail, advance } = openCircuit();
    expect(circuit.retryMs()).toBeNull();
    fail(5);
    expect(circuit.retryMs()).toBe(2_000);
    advance(1_999);
    expect(pauseOf(circuit)?.retryAfterSeconds).toBe(1);
    expect(circuit.retryMs()).toBe(1);
    advance(1);
    expect(circuit.retryMs()).toBe(0);
    const probe = circuit.enter('orders');
    expect(circuit.state()).toBe('half-open');
    expect(circuit.retryMs()).toBeNull();
    expect(pauseOf(circuit)).toMatchObject({ retryAfterSeconds: 1 });
    probe.succeeded();
    expect(circuit.state()).toBe('closed');
    expect(pauseOf(circuit)).toBeNull();
    fail(4);
    expect(circuit.state()).toBe('closed');
  });

  it('lets the next read through if the first was dropped', () => {
    const { circuit, fail, advance } = openCircuit();
    fail(5);
    advance(2_000);
    circuit.enter('orders').abandoned();
    expect(circuit.state()).toBe('open');
    circuit.enter('orders').succeeded();
    expect(circuit.state()).toBe('closed');
  });

  it('doubles the pause after each failed read, up to half a minute', () => {
    const { circuit, fail, advance } = openCircuit();
    fail(5);
    const waits = [2, 4, 8, 16, 30, 30].map((seconds) => {
      const seen = pauseOf(circuit)?.retryAfterSeconds;
      advance(seconds * 1_000);
      circuit.enter('orders').failed(down);
      return seen;
    });
    expect(waits).toEqual([2, 4, 8, 16, 30, 30]);
  });

  it('starts with a short pause again after it was closed', () => {
    const { circuit, fail, advance } = openCircuit();
    fail(5);
    advance(2_000);
    fail(1);
    advance(4_000);
    circuit.enter('orders').succeeded();
    fail(5);
    expect(pauseOf(circuit)?.retryAfterSeconds).toBe(2);
  });

  it('counts reads that fail together as one failure', () => {
    const { circuit } = openCircuit();
    const inFlight = Array.from({ length: 50 }, (_, index) => circuit.enter(index % 2 === 0 ? 'orders' : 'chartVoi'));
    for (const pass of inFlight) pass.failed(down);
    expect(pauseOf(circuit)?.retryAfterSeconds).toBe(2);
  });

  it('does not take an earlier read in flight for the one it let through', () => {
    const { circuit, fail, advance } = openCircuit();
    const early = circuit.enter('orders');
    const earlier = circuit.enter('orders');
    fail(5);
    advance(2_000);
    const probe = circuit.enter('orders');
    early.failed(down);
    earlier.abandoned();
    expect(circuit.state()).toBe('half-open');
    expect(pauseOf(circuit)).not.toBeNull();
    probe.failed(down);
    expect(pauseOf(circuit)?.retryAfterSeconds).toBe(4);
  });

  it('closes when an earlier read in flight succeeds', () => {
    const { circuit, fail } = openCircuit();
    const early = circuit.enter('orders');
    fail(5);
    early.succeeded();
    expect(circuit.state()).toBe('closed');
  });
});
