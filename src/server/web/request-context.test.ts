import { expect, test } from 'vitest';
import type { LogLevel } from '#server/core/ports.ts';
import { logRequest } from './request-context.ts';

test.each([
  ['/api/desk/funding', 503, 'warn'],
  ['/api/desk/funding', 404, 'debug'],
  ['/readyz', 503, 'debug'],
])('a request for %s that gets %i is a line at %s: not to be ready is no failure', (endpoint, status, expected) => {
  const levels: LogLevel[] = [];
  logRequest((level) => levels.push(level), {
    ...{ requestId: 'r1', method: 'GET', outcome: 'computed', tookMs: 1 },
    ...{ endpoint, status },
  });
  expect(levels).toEqual([expected]);
});
