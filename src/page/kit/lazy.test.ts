import { expect, it, vi } from 'vitest';
import { lazy } from './lazy.tsx';

const nothing = (): null => null;

it('loads its code once', async () => {
  const load = vi.fn(() => Promise.resolve(nothing));
  const { fetch } = lazy(load);
  await Promise.all([fetch(), fetch()]);
  await fetch();
  expect(load).toHaveBeenCalledTimes(1);
});

it('tries again after a failure', async () => {
  const load = vi.fn(() => Promise.reject<typeof nothing>(new Error('unreachable')));
  const { fetch } = lazy(load);
  await expect(fetch()).rejects.toThrow('unreachable');
  load.mockImplementation(() => Promise.resolve(nothing));
  await expect(fetch()).resolves.toBeUndefined();
  expect(load).toHaveBeenCalledTimes(2);
});
