import { describe, expect, it } from 'vitest';
import { addList, createListId, LONGEST_NAME, removeList, renameList, whyNoName } from './edit-watchlists.ts';

const lists = [
  { id: 'a', name: 'Majors', products: [1, 2] },
  { id: 'b', name: 'L1', products: [1] },
];

describe('the name of a watchlist', () => {
  it.each([
    ['  ', 'Enter a name.'],
    ['n'.repeat(LONGEST_NAME + 1), 'A name has at most 40 characters.'],
    [' MAJORS ', 'A watchlist named “Majors” already exists.'],
    ['n'.repeat(LONGEST_NAME), null],
    [' L2 ', null],
  ])('“%s” is refused because: %s', (name, reason) => {
    expect(whyNoName(lists, name)).toBe(reason);
  });

  it('may be changed in case only', () => {
    expect([whyNoName(lists, 'majors', 'a'), whyNoName(lists, 'majors', 'b')]).toEqual([
      null,
      'A watchlist named “Majors” already exists.',
    ]);
  });

  it('is not given to more lists than there can be', () => {
    const many = Array.from({ length: 50 }, (_, at) => ({
      id: `l${String(at)}`,
      name: `List ${String(at)}`,
      products: [],
    }));
    expect(whyNoName(many, 'One more')).toMatch(/^The limit of 50 watchlists is reached/);
    expect(whyNoName(many, 'Another name', 'l0')).toBeNull();
  });
});

it('a list is added at the end, with tidy spaces in its name', () => {
  expect(addList(lists, 'c', '  L 2 \n ').map(({ id, name, products }) => [id, name, products.length])).toEqual([
    ['a', 'Majors', 2],
    ['b', 'L1', 1],
    ['c', 'L 2', 0],
  ]);
});

it('a renamed list keeps its place, its id and its products', () => {
  expect(renameList(lists, 'a', ' Top ')).toEqual([{ ...lists[0], name: 'Top' }, lists[1]]);
});

it('all lists but the last can be removed', () => {
  expect(removeList(lists, 'a')).toEqual([lists[1]]);
  expect(removeList(lists.slice(0, 1), 'a')).toEqual([lists[0]]);
});

it('ids differ, and need no escaping in an address', () => {
  const ids = Array.from({ length: 100 }, createListId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[a-z\d]{10}$/);
});
