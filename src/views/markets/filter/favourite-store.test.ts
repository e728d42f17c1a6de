import { describe, expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createFavouriteStore } from './favourite-store.ts';

describe('favourites', () => {
  it('are stored, and removed when toggled again', () => {
    const { frame } = createFakeFrame();
    const store = createFavouriteStore(frame);
    store.toggle(5);
    store.toggle(7);
    store.toggle(5);
    expect([...store.read()]).toEqual([7]);
    expect([...createFavouriteStore(frame).read()]).toEqual([7]);
  });

  it.each([['nonsense'], ['[5]'], ['{"version":2,"products":[5]}'], ['{"version":1}'], ['{"version":1,"products":["5",1.5,null]}']])(
    'are empty where %s was stored',
    (stored) => {
      const { frame } = createFakeFrame({ 'perpdesk.favourites': stored });
      expect([...createFavouriteStore(frame).read()]).toEqual([]);
    },
  );
});
