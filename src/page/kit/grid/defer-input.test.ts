import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferInput } from './defer-input.ts';

/** An element that, to events, is outside links. */
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

/** Creates a grid whose code loads or fails on request. */
function openGrid() {
  const root = new Box();
  const [done, onFailure] = [vi.fn<(type: string) => void>(), vi.fn()];
  const loads: PromiseWithResolvers<null>[] = [];
  const load = async (): Promise<void> => {
    const code = Promise.withResolvers<null>();
    loads.push(code);
    await code.promise;
    for (const type of ['click', 'keydown'])
      root.addEventListener(type, () => {
        done(type);
      });
  };
  const stop = new AbortController();
  deferInput(root as unknown as HTMLElement, load, stop.signal, onFailure);
  const touch = (type: string) => root.dispatchEvent(new Event(type));
  /** Returns whether the browser’s own action was prevented. */
  const press = (key: string): boolean =>
    !root.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key }));
  const settle = async (settleLast: (code: PromiseWithResolvers<null>) => void): Promise<void> => {
    const code = loads.at(-1);
    if (code === undefined) throw new Error('nothing was loaded');
    settleLast(code);
    await new Promise(setImmediate);
  };
  return {
    touch,
    press,
    done,
    onFailure,
    loads,
    stop,
    succeed: () =>
      settle(({ resolve }) => {
        resolve(null);
      }),
    fail: () =>
      settle(({ reject }) => {
        reject(new Error('unreachable'));
      }),
  };
}

describe('a grid whose input code is loaded later', () => {
  it('replays events from before it was loaded', async () => {
    const { touch, succeed, done, onFailure } = openGrid();
    touch('click');
    touch('keydown');
    await succeed();
    expect(done.mock.calls).toEqual([['click'], ['keydown']]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('does not let the browser scroll by a key that is replayed later', () => {
    const { press } = openGrid();
    expect([' ', 'PageDown', 'ArrowDown', 'Tab', 'a'].map(press)).toEqual([true, true, true, false, false]);
  });

  it('drops events and reports a failure, and tries again at the next event', async () => {
    const { touch, succeed, fail, done, onFailure, loads } = openGrid();
    touch('click');
    await fail();
    expect(onFailure).toHaveBeenCalledTimes(1);
    touch('keydown');
    expect(loads).toHaveLength(2);
    await succeed();
    expect(done.mock.calls).toEqual([['keydown']]);
  });

  it('reports nothing after it is removed', async () => {
    const { touch, fail, stop, onFailure } = openGrid();
    touch('click');
    stop.abort();
    await fail();
    expect(onFailure).not.toHaveBeenCalled();
  });
});
