import { expect, it } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { openAccessRegistry } from './accounts/access-registry.ts';
import { createPeople } from './accounts/people.ts';
import { createUserCommands } from './user-commands.ts';

async function openCommands() {
  const book = await openAccessRegistry(await openTestStore());
  const recorded: string[] = [];
  const user = createUserCommands({
    people: createPeople(book, () => Date.parse('2026-11-26T12:00:00Z')),
    book,
    audit: {
      record: ({ detail }) => {
        recorded.push(detail);
        return Promise.resolve();
      },
    },
    caller: { base: 'https://desk.example', note: null, by: 'ann' },
  });
  const people = async () => JSON.parse((await user(['list', '--json'])).join('\n')) as readonly unknown[];
  return { user, people, recorded };
}

it('a change of a person leaves what it does not name', async () => {
  const { user, people } = await openCommands();
  await user(['add', 'Ben', '--role', 'orders', '--account', 'NORD-105']);
  await expect(user(['set', 'Ben'])).rejects.toThrow('Say what to change');
  await expect(user(['set', 'Ben', '--no-roles', '--role', 'orders'])).rejects.toThrow('--no-roles');
  await expect(user(['set', 'Ben', '--no-orders', '--firm', 'NORD'])).rejects.toThrow('--no-orders');
  await user(['set', 'Ben', '--account', 'NORD-107']);
  const scope = { all: false, accounts: ['NORD-107'], firms: [], connections: [] };
  expect(await people()).toMatchObject([{ name: 'Ben', roles: ['orders'], scope }]);
  await user(['set', 'Ben', '--role', 'markets']);
  expect(await people()).toMatchObject([{ roles: ['markets'], scope }]);
  await user(['set', 'Ben', '--no-roles', '--no-orders']);
  expect(await people()).toMatchObject([{ roles: [], scope: { all: false, accounts: [] } }]);
});

it('an invitation is withdrawn once', async () => {
  const { user, recorded } = await openCommands();
  await user(['add', 'Cay']);
  expect(await user(['withdraw', 'Cay'])).toEqual(['Withdrew the invitation of "Cay".']);
  expect(recorded.at(-1)).toBe('Withdrew the invitation of "Cay".');
  await expect(user(['withdraw', 'Cay'])).rejects.toThrow('"Cay" has no invitation');
});

it('a list takes no other option than --json', async () => {
  const { user } = await openCommands();
  await expect(user(['list', '--jsn'])).rejects.toThrow('--json');
});
