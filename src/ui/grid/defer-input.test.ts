import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferInput } from './defer-input.ts';

/** As much of an element as listens, and lies in no link. */
class Box extends EventTarget {
  closest(): null {
    return null;
  }
}

beforeEach(() => {
  vi.stubGlobal('Element', Box);
  vi.stubGlobal('requestAnimationFrame', () => 0);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A grid whose code comes, or does not, when the test says so. */
function openGrid() {
  const root = new Box();
  const [done, onFailure] = [vi.fn<(type: string) => void>(), vi.fn()];
  const asked: PromiseWithResolvers<null>[] = [];
  const begin = async (): Promise<void> => {
    const code = Promise.withResolvers<null>();
    asked.push(code);
    await code.promise;
    for (const type of ['click', 'keydown']) root.addEventListener(type, () => { done(type); });
  };
  const stop = new AbortController();
  deferInput(root as unknown as HTMLElement, begin, stop.signal, onFailure);
  const touch = (type: string) => root.dispatchEvent(new Event(type));
  const settle = async (settleLast: (code: PromiseWithResolvers<null>) => void): Promise<void> => {
    const code = asked.at(-1);
    if (code === undefined) throw new Error('nothing was asked for');
    settleLast(code);
    await new Promise(setImmediate);
  };
  return { touch, done, onFailure, asked, stop, come: () => settle(({ resolve }) => { resolve(null); }), fail: () => settle(({ reject }) => { reject(new Error('no way there')); }) };
}

describe('a grid whose code comes later', () => {
  it('does then what was done before it came', async () => {
    const { touch, come, done, onFailure } = openGrid();
    touch('click');
    touch('keydown');
    await come();
    expect(done.mock.calls).toEqual([['click'], ['keydown']]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('forgets what was done where it does not come, says so, and asks again with the next touch', async () => {
    const { touch, come, fail, done, onFailure, asked } = openGrid();
    touch('click');
    await fail();
    expect(onFailure).toHaveBeenCalledTimes(1);
    touch('keydown');
    expect(asked).toHaveLength(2);
    await come();
    expect(done.mock.calls).toEqual([['keydown']]);
  });

  it('says nothing once it is taken away', async () => {
    const { touch, fail, stop, onFailure } = openGrid();
    touch('click');
    stop.abort();
    await fail();
    expect(onFailure).not.toHaveBeenCalled();
  });
});
