import { expect, test } from 'vitest';
import { createFollowedTopics, MOST_OF_PERSON } from './live-route.ts';
import { toTopicRequest } from './topic-request.ts';

const products = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => toTopicRequest('product', [['id', String(from + index)]]));

test('one person follows so many topics with parameters, in all streams together, and any number without; others are not concerned', () => {
  const followed = createFollowedTopics();
  const leave = followed.add('person ann', products(0, MOST_OF_PERSON));
  const again = followed.add('person ann', products(0, 10));
  expect(followed.mayFollow('person ann', products(MOST_OF_PERSON, 1))).toBe(false);
  expect(
    followed.mayFollow('person ann', [...products(0, 10), toTopicRequest('status'), toTopicRequest('products')]),
  ).toBe(true);
  expect(followed.mayFollow('person bob', products(MOST_OF_PERSON, MOST_OF_PERSON))).toBe(true);
  leave();
  expect(followed.mayFollow('person ann', products(MOST_OF_PERSON, MOST_OF_PERSON - 10))).toBe(true);
  expect(followed.mayFollow('person ann', products(MOST_OF_PERSON, MOST_OF_PERSON - 9))).toBe(false);
  again();
  expect(followed.mayFollow('person ann', products(MOST_OF_PERSON, MOST_OF_PERSON))).toBe(true);
});
