import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { runProgram } from '../run-program.ts';
import { startServer } from '../start-desk.ts';
import type { StartedProcess } from '../start-process.ts';
import { createHttpPerson, PASSWORD, type HttpPerson } from './http-person.ts';

/** A server that people sign in to, with its owner's commands. */
export interface PeopleDesk {
  readonly desk: StartedProcess;
  readonly folder: string;
  /** Runs `perpdesk user`, and returns what it printed. */
  readonly user: (...args: readonly string[]) => Promise<string>;
  /** Adds a person and returns the secret of their invitation. */
  readonly add: (name: string, ...options: readonly string[]) => Promise<string>;
  /** Signs a person in by their invitation, with the password of the tests. */
  readonly accept: (invitation: string) => Promise<HttpPerson>;
  /** Adds a person and signs them in. */
  readonly join: (name: string, ...options: readonly string[]) => Promise<HttpPerson>;
  readonly stop: () => Promise<void>;
}

export async function startPeopleDesk(
  environment: Readonly<Record<string, string>> = {},
  venueOptions: readonly string[] = ['--live', 'off', '--orders', '200', '--working', '40'],
): Promise<PeopleDesk> {
  const venue = await startVenue(venueOptions);
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-people-'));
  const settings = { DESK_ACCESS: 'users', ...environment };
  const desk = await startServer(venue.address, folder, settings);
  const user: PeopleDesk['user'] = (...args) => runUser(folder, args);
  const add: PeopleDesk['add'] = async (name, ...options) => invitationIn(await user('add', name, ...options));
  const accept: PeopleDesk['accept'] = (invitation) => acceptInvitation(desk.address, invitation);
  return {
    desk,
    folder,
    user,
    add,
    accept,
    join: async (name, ...options) => accept(await add(name, ...options)),
    stop: async () => {
      await desk.stop();
      await venue.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Throws the output of the command if it failed. */
export async function runUser(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProgram('src/server/main/user.ts', args, {
    DESK_DATA_DIR: folder,
    ...environment,
  });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

/** Signs a person in by their invitation, with the password of the tests. */
export async function acceptInvitation(address: string, invitation: string): Promise<HttpPerson> {
  const person = createHttpPerson(address);
  const { status, body } = await person.act('acceptInvitation', { invitation, password: PASSWORD });
  if (status !== 200) throw new Error(`The invitation was not accepted: ${String(status)} ${JSON.stringify(body)}`);
  return person;
}

export function invitationIn(printed: string): string {
  const secret = /\/invitation#(\S+)/.exec(printed)?.[1];
  if (secret === undefined) throw new Error(`There is no invitation in:\n${printed}`);
  return secret;
}
