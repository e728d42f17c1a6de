import { expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createRecentlyViewed } from './last-viewed.ts';

it('what was viewed last comes first, each once, and only the latest are kept', () => {
  const { frame } = createFakeFrame();
  const recent = createRecentlyViewed(frame, 'product');
  for (const name of ['A', 'B', 'A', 'A']) recent.add(name);
  expect(recent.read()).toEqual(['A', 'B']);
  for (const name of ['C', 'D', 'E', 'F', 'G', 'H', 'I', 'J']) recent.add(name);
  expect(createRecentlyViewed(frame, 'product').read()).toEqual(['J', 'I', 'H', 'G', 'F', 'E', 'D', 'C']);
});

it.each([['nonsense'], ['["A"]'], ['{"version":2,"names":["A"]}'], ['{"version":1,"names":[5]}']])(
  'where %s was stored, nothing was viewed',
  (stored) => {
    const { frame } = createFakeFrame({ 'perpdesk.recent.product': stored });
    expect(createRecentlyViewed(frame, 'product').read()).toEqual([]);
  },
);
