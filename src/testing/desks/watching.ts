import { join } from 'node:path';
import { expect } from 'vitest';
import type { HttpPerson } from '../access/http-person.ts';
import { acceptInvitation, invitationIn, runUser } from '../access/people-desk.ts';
import { EACH_ACCOUNT } from '../rules/notified-desk.ts';
import { runProgram } from '../run-program.ts';
import { withClient } from '../with-client.ts';
import type { ReadBook } from './counting-exchange.ts';
import type { DeskOfSet, SetOfDesks } from './set-of-desks.ts';
import { openWanderingClient, type WanderingClient } from './wandering-client.ts';

/** A browser, and the accounts of which it may see orders; null if all. */
export interface Watching {
  readonly client: WanderingClient;
  readonly accounts: readonly string[] | null;
}

/** A person may open a few streams a second at most. */
const CLIENTS_OF_PERSON = 10;
const LONGEST_STREAM_MS = 12_000;
const DAY_MS = 86_400_000;
/** Readings are a few seconds apart, and another one may be on its way. */
const LATEST_MS = 20_000;

/**
 * Adds a rule that notifies, and opens the browsers: half of the people see all orders, the others those of one account.
 * Returns the token of the last one.
 */
export async function openClients(
  set: SetOfDesks,
  { clients, random }: { readonly clients: number; readonly random: () => number },
  watching: Watching[],
): Promise<string> {
  const [first] = set.desks;
  if (first === undefined) throw new Error('There are no desks.');
  const ann = await invite(first, 'ann', '--role', 'admin', '--role', 'operations', '--all-orders');
  const rule = { ...EACH_ACCOUNT, channels: ['desk'], value: 3 };
  expect((await ann.act('putRule', { rule })).status).toBe(200);
  const account = await findAccount(set);
  let token = '';
  for (let index = 0; index < clients; index += 1) {
    const number = Math.floor(index / CLIENTS_OF_PERSON);
    const accounts = number % 2 === 0 ? null : [account];
    if (index % CLIENTS_OF_PERSON === 0) {
      const ofScope = accounts === null ? ['--all-orders'] : ['--account', account];
      token = await tokenOf(await invite(first, `person ${String(number)}`, '--role', 'orders', ...ofScope), accounts);
    }
    const client = openWanderingClient({
      chooseDesk: () => chooseFrom(set.addresses(), random),
      headers: { authorization: `Bearer ${token}` },
      random,
      mostMs: LONGEST_STREAM_MS,
    });
    watching.push({ client, accounts });
  }
  return token;
}

function chooseFrom(addresses: readonly string[], random: () => number): string {
  return addresses[Math.floor(random() * addresses.length)] ?? '';
}

async function findAccount({ exchange }: SetOfDesks): Promise<string> {
  await expect.poll(() => exchange.books().length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [row = ''] = exchange.books().at(-1)?.rows.values() ?? [];
  return (JSON.parse(row) as { readonly account_id: string }).account_id;
}

async function invite(
  { folder, address }: DeskOfSet,
  name: string,
  ...options: readonly string[]
): Promise<HttpPerson> {
  return acceptInvitation(address, invitationIn(await runUser(folder, ['add', name, ...options])));
}

async function tokenOf(person: HttpPerson, accounts: readonly string[] | null): Promise<string> {
  const { status, body } = await person.act('createToken', {
    name: 'browser',
    roles: ['orders'],
    scope: { all: accounts === null, accounts: accounts ?? [], firms: [], connections: [] },
    expires_at: new Date(Date.now() + DAY_MS).toISOString(),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return String(body['token']);
}

/** Finds the browsers that show none of the latest books of the exchange, as far as they may see them. */
export function findWrong(watching: readonly Watching[], books: readonly ReadBook[]): readonly string[] {
  const latest = books.filter(({ at }) => at > Date.now() - LATEST_MS);
  return watching.flatMap(({ client, accounts }, index) => {
    const shown = client.rows();
    const isOwn = (row: string): boolean =>
      accounts === null || accounts.some((account) => row.includes(`"${account}"`));
    const isRight = latest.some(({ rows }) => {
      const own = [...rows].filter(([, row]) => isOwn(row));
      return shown?.size === own.length && own.every(([id, row]) => shown.get(id) === row);
    });
    if (isRight) return [];
    const rejection = client.rejections().at(-1) ?? 'none';
    return [`browser ${String(index)} shows ${String(shown?.size ?? 'no')} orders; its last rejection: ${rejection}`];
  });
}

/** Two desks may read at the same moment, before one of them reads for the other. */
const SAME_MOMENT_MS = 1_000;

/** Finds the readings that are older than one that the browser had shown before. */
export function findSetBack(readAt: readonly string[]): readonly string[] {
  let latest = -Infinity;
  return readAt.filter((at) => {
    const isSetBack = Date.parse(at) < latest - SAME_MOMENT_MS;
    latest = Math.max(latest, Date.parse(at));
    return isSetBack;
  });
}

/** Checks the chain of the audit log, and that each notification recorded as delivered has arrived. `tree` is of the version to do so with. */
export async function checkRecords(
  { desks, postgres, receiver }: SetOfDesks,
  message: string,
  tree = '.',
): Promise<string> {
  const [first] = desks;
  const audit = await runProgram(join(tree, 'src/server/main/audit.ts'), ['check'], {
    ...first?.environment,
    DESK_DATA_DIR: first?.folder ?? '',
  });
  expect([audit.code, audit.stdout], `${message}\n${audit.stderr}`).toEqual([0, expect.stringContaining('entries')]);
  const [delivered, events] = await withClient(postgres().address, async (database) => [
    (await database.query<{ id: string }>("SELECT id FROM desk_call WHERE state = 'delivered'")).rows,
    (await database.query<{ key: string }>('SELECT key FROM call_event')).rows,
  ]);
  const received = new Set(receiver.notifications.map(({ id }) => id));
  expect(received.size, message).toBeGreaterThan(0);
  expect(
    delivered.filter(({ id }) => !received.has(id)),
    message,
  ).toEqual([]);
  expect(new Set(events.map(({ key }) => key)).size, message).toBe(events.length);
  return (
    `${String(receiver.notifications.length)} notifications arrived, ${String(received.size)} different ones, ` +
    `${String(delivered.length)} recorded as delivered; ${audit.stdout.trim()}`
  );
}
