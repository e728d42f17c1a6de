import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ACCESS_ACTIONS } from '#contract/desk/access.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import type { StartedProcess } from '../start-process.ts';
import { granted, openViewedDesk, type ViewedDesk } from './viewed-desk.ts';

const [ADMIN, OWNER, OTHER] = ['ada', 'ben', 'cleo'];

let venue: StartedProcess;
let desk: ViewedDesk;

beforeAll(async () => {
  venue = await startVenue(['--orders', '50', '--working', '10']);
  desk = await openViewedDesk(venue.address, {
    [ADMIN]: granted(['admin'], {}),
    [OWNER]: granted(['orders'], 'all'),
    [OTHER]: granted(['operations'], 'all'),
  });
}, 60_000);

afterAll(async () => {
  await desk.close();
  await venue.stop();
});

type ActionName = keyof typeof ACCESS_ACTIONS;
type WithId = {
  [Name in ActionName]: 'id' extends keyof (typeof ACCESS_ACTIONS)[Name]['query'] ? Name : never;
}[ActionName];

interface Named {
  readonly id: string;
}

interface Attempt {
  /** The paths at which the owner, or an administrator, reads the ids. */
  readonly path: string;
  readonly rows: 'sessions' | 'tokens' | 'people';
  readonly status: number;
}

/**
 * The records that each action names by an id, and the response to another person. A passkey of another person is in
 * the browser tests, because only a browser can create one.
 */
const ATTEMPTS: Readonly<Record<Exclude<WithId, 'deletePasskey' | 'removePasskeyOf'>, Attempt>> = {
  endSession: { path: '/api/desk/sessions', rows: 'sessions', status: 400 },
  endToken: { path: '/api/desk/tokens', rows: 'tokens', status: 400 },
  deletePerson: { path: '/api/desk/people', rows: 'people', status: 403 },
  invitePerson: { path: '/api/desk/people', rows: 'people', status: 403 },
  endSessionsOf: { path: '/api/desk/people', rows: 'people', status: 403 },
  revokeTokenOf: { path: '/api/desk/tokens', rows: 'tokens', status: 403 },
};

async function read(viewer: string, { path, rows }: Attempt): Promise<readonly Named[]> {
  const { status, body } = await desk.personOf(viewer).get(path);
  expect(status).toBe(200);
  return body[rows] as readonly Named[];
}

test('every action that names something by its id, with the ids of somebody else, changes nothing and says only that it is not one’s own', async () => {
  const grant = {
    roles: ['orders'],
    scope: { all: true, accounts: [], firms: [], connections: [] },
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
  expect(await desk.personOf(OWNER).act('createToken', { ...grant, name: 'Nightly report' })).toMatchObject({
    status: 200,
  });
  for (const [name, attempt] of Object.entries(ATTEMPTS)) {
    const reader = attempt.rows === 'people' ? ADMIN : OWNER;
    const before = await read(reader, attempt);
    expect(before.length, name).toBeGreaterThan(0);
    const unknown = await desk.personOf(OTHER).act(name as WithId, null, { id: 'none' });
    for (const { id } of before) {
      const { status, body } = await desk.personOf(OTHER).act(name as WithId, null, { id });
      expect([name, status, body['detail']]).toEqual([name, attempt.status, unknown.body['detail']]);
    }
    expect(await read(reader, attempt), name).toEqual(before);
  }
});

test('nobody but an administrator changes a person, themselves included', async () => {
  const people = (await desk.personOf(ADMIN).get('/api/desk/people')).body['people'] as readonly object[];
  const all = { all: true, accounts: [], firms: [], connections: [] };
  for (const person of people)
    expect(
      await desk.personOf(OTHER).act('putPerson', { ...person, roles: ['admin'], scope: all, disabled: false }),
    ).toMatchObject({ status: 403 });
  expect((await desk.personOf(ADMIN).get('/api/desk/people')).body['people']).toEqual(people);
});

test('sessions and tokens are listed to their person alone', async () => {
  const ids = async (viewer: string): Promise<readonly string[]> =>
    [...(await read(viewer, ATTEMPTS.endSession)), ...(await read(viewer, ATTEMPTS.endToken))].map(({ id }) => id);
  const [own, others] = [await ids(OWNER), [...(await ids(OTHER)), ...(await ids(ADMIN))]];
  expect(own.length).toBeGreaterThan(1);
  expect(own.filter((id) => others.includes(id))).toEqual([]);
});
