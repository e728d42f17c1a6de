import { expect } from 'vitest';
import type { RecordedRequest } from './recording-venue.ts';
import { findWrong } from './interface-rules.ts';

/** What reached the venue is of the table, is only a question, and has nothing of who asked. */
export function checkRecorded({ method, target, headers, body }: RecordedRequest): void {
  const names = headers.map(([name]) => name);
  const wrong = findWrong(target, names.includes('btnl-signature'));
  expect({ method, target, wrong, body }).toEqual({ method: 'GET', target, wrong: null, body: '' });
  expect(names.filter((name) => !/^(?:accept|accept-encoding|btnl-[a-z-]+|connection|host|user-agent)$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
}
