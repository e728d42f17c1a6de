import { expect, it } from 'vitest';
import { environmentOf } from '#cli/environment.mjs';

it('bounds the arenas of the C library for each program, unless the operator has', () => {
  expect(environmentOf({ DESK_PORT: '80', DESK_AUTH_TOKEN: 'x' })).toEqual({ MALLOC_ARENA_MAX: '2', DESK_PORT: '80' });
  expect(environmentOf({ MALLOC_ARENA_MAX: '8', DESK_AUTH_TOKEN: 'x' }, ['DESK_AUTH_TOKEN'])).toEqual({ MALLOC_ARENA_MAX: '8', DESK_AUTH_TOKEN: 'x' });
});
