import { expect, it, vi } from 'vitest';
import { lazy } from './lazy.tsx';

const nothing = (): null => null;

it('fetches its code once, however often it is asked', async () => {
  const load = vi.fn(() => Promise.resolve(nothing));
  const { fetch } = lazy(load);
  await Promise.all([fetch(), fetch()]);
  await fetch();
  expect(load).toHaveBeenCalledTimes(1);
});

it('asks again for what did not come', async () => {
  const load = vi.fn(() => Promise.reject<typeof nothing>(new Error('no way there')));
  const { fetch } = lazy(load);
  await expect(fetch()).rejects.toThrow('no way there');
  load.mockImplementation(() => Promise.resolve(nothing));
  await expect(fetch()).resolves.toBeUndefined();
  expect(load).toHaveBeenCalledTimes(2);
});
