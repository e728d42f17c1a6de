import { expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { takeUpFavourites } from './start-saved.ts';

const FAVOURITES = '{"version":1,"products":[7,9]}';

it.each([
  [
    'are a watchlist where there is none',
    { 'perpdesk.favourites': FAVOURITES },
    '{"version":1,"lists":[{"id":"favourites","name":"Favourites","products":[7,9]}]}',
  ],
  [
    'are left alone where there are watchlists',
    { 'perpdesk.favourites': FAVOURITES, 'perpdesk.watchlists': '{"version":1,"lists":[]}' },
    '{"version":1,"lists":[]}',
  ],
  ['are made up nowhere', {}, null],
])('the favourites of before there were watchlists %s', (_, held, expected) => {
  const { frame } = createFakeFrame(held);
  takeUpFavourites(frame);
  expect(frame.localStorage.getItem('perpdesk.watchlists')).toBe(expected);
});
