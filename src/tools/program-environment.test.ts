import { expect, it } from 'vitest';
import { environmentOf } from '#cli/environment.mjs';
import { memoryLimits } from '#cli/node-flags.mjs';

it('bounds the memory that the C library keeps, unless the operator does', () => {
  expect(environmentOf({ DESK_PORT: '80', DESK_AUTH_TOKEN: 'x' })).toEqual({ ...memoryLimits, DESK_PORT: '80' });
  expect(environmentOf({ MALLOC_ARENA_MAX: '8', DESK_AUTH_TOKEN: 'x' }, ['DESK_AUTH_TOKEN'])).toEqual({
    ...memoryLimits,
    MALLOC_ARENA_MAX: '8',
    DESK_AUTH_TOKEN: 'x',
  });
});
