import { expect, it } from 'vitest';
import { ACCESS_ACTIONS } from './access.ts';
import { DESK_ACTIONS, type DeskAction } from './actions.ts';
import { SAVED_ACTIONS } from './saved.ts';
import { toShape, type Shape } from '../exchange/schema.ts';

const ACTIONS: Readonly<Record<string, DeskAction>> = { ...DESK_ACTIONS, ...ACCESS_ACTIONS, ...SAVED_ACTIONS };

/** Finds the places in a body where a text may have any length. */
function findUnlimited(shape: Shape, path: string): readonly string[] {
  const inside = Object.entries(shape.properties ?? {}).flatMap(([name, field]) =>
    findUnlimited(field, `${path}.${name}`),
  );
  const items = shape.items === undefined ? [] : findUnlimited(shape.items, `${path}[]`);
  const isText = shape.type === 'string' || (typeof shape.type === 'object' && shape.type.includes('string'));
  return [...inside, ...items, ...(isText && shape.maxLength === undefined ? [path] : [])];
}

const OF_STRANGERS = Object.entries(ACTIONS).flatMap(([name, { needs, body }]) =>
  needs === 'nothing' && body !== null ? [[name, body] as const] : [],
);

it.each(OF_STRANGERS)('%s, which needs no rights, limits the length of each text', (_, body) => {
  expect(findUnlimited(toShape(body), '$')).toEqual([]);
});

it('there are actions that need no rights', () => {
  expect(OF_STRANGERS.map(([name]) => name)).toContain('signIn');
});
