import { expect } from 'vitest';
import type { RecordedRequest } from './recording-venue.ts';
import { findViolation } from './interface-rules.ts';

/**
 * Checks a request that reached the exchange: it must match the interface, be a GET, and carry nothing from the client.
 */
export function checkRecorded({ method, target, headers, body }: RecordedRequest): void {
  const names = headers.map(([name]) => name);
  const violation = findViolation(target, names.includes('btnl-signature'));
  expect({ method, target, violation, body }).toEqual({ method: 'GET', target, violation: null, body: '' });
  expect(
    names.filter((name) => !/^(?:accept|accept-encoding|btnl-[a-z-]+|connection|host|user-agent)$/.test(name)),
  ).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
}
