import { expect, it, vi } from 'vitest';
import { later } from './later.tsx';

const nothing = (): null => null;

it('fetches its code once, however often it is asked', async () => {
  const load = vi.fn(() => Promise.resolve(nothing));
  const { fetch } = later(load);
  await Promise.all([fetch(), fetch()]);
  await fetch();
  expect(load).toHaveBeenCalledTimes(1);
});

it('asks again for what did not come', async () => {
  const load = vi.fn(() => Promise.reject<typeof nothing>(new Error('no way there')));
  const { fetch } = later(load);
  await expect(fetch()).rejects.toThrow('no way there');
  load.mockImplementation(() => Promise.resolve(nothing));
  await expect(fetch()).resolves.toBeUndefined();
  expect(load).toHaveBeenCalledTimes(2);
});
