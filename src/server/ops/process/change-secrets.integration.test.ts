import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { ACTION_HEADER, DESK_ACTIONS } from '#contract/desk/actions.ts';
import { buildApp } from '#testing/build-app.ts';
import { openReceiver, SECRET, type Receiver } from '#testing/notifications/receiver.ts';
import { clearedSettings } from '#testing/cleared-settings.ts';
import { openVenueWithKey, type VenueWithKey } from '#testing/faults/venue-with-key.ts';

const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)] as const;

let folder: string;
let venue: VenueWithKey;

beforeAll(buildApp);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-secrets-'));
  venue = await openVenueWithKey(FIRST);
  onTestFinished(async () => {
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
  });
});

interface Desk {
  readonly address: string;
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  readonly hangUp: () => void;
}

async function startDesk(
  environment: Readonly<Record<string, string>>,
  file = 'src/server/main/main.ts',
): Promise<Desk> {
  const settings = {
    DESK_VENUE: 'bitnomial',
    DESK_VENUE_URL: venue.address,
    DESK_CONNECTION_ID: '3f',
    DESK_PORT: '0',
    DESK_BUDGET: '0',
    DESK_JOURNAL_SECONDS: '0',
    DESK_DATA_DIR: join(folder, 'data'),
    ...environment,
  };
  const child = spawn(process.execPath, [file, ...(file.endsWith('.mjs') ? ['gateway'] : [])], {
    env: { ...process.env, ...clearedSettings(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
  const logged: Readonly<Record<string, unknown>>[] = [];
  createInterface(child.stderr).on('line', (line) =>
    logged.push(JSON.parse(line) as Readonly<Record<string, unknown>>),
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    address: /ready at (\S+)/.exec(line)?.[1] ?? expect.fail(line),
    logged,
    hangUp: () => void child.kill('SIGHUP'),
  };
}

/** A different query each time, so that no response comes from the cache. */
let asked = 0;
async function readOrders({ address }: Desk): Promise<number> {
  asked += 1;
  return (await fetch(`${address}api/orders?limit=${String(1 + (asked % 900))}`)).status;
}

function writeSecret(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text, { mode });
  chmodSync(`${path}.new`, mode);
  renameSync(`${path}.new`, path);
  return path;
}

const eventsOf = ({ logged }: Desk, event: string) => logged.filter((line) => line['event'] === event);

it('a key in a file is used from the next request on after it was replaced, by itself', async () => {
  const desk = await startDesk({ DESK_AUTH_TOKEN_FILE: writeSecret('token', FIRST) });
  expect(await readOrders(desk)).toBe(200);
  venue.accept(SECOND);
  // The exchange rejects the previous key, which is then not used for a while.
  expect(await readOrders(desk)).toBeGreaterThanOrEqual(400);
  writeSecret('token', SECOND);
  await expect.poll(() => readOrders(desk)).toBe(200);
  expect(eventsOf(desk, 'secrets read again')).toHaveLength(1);
  expect(JSON.stringify(desk.logged)).not.toMatch(new RegExp(`${FIRST}|${SECOND}`));
});

it('on SIGHUP as well; a mistake keeps the previous key, with a sentence in the log', async () => {
  const desk = await startDesk({ DESK_AUTH_TOKEN_FILE: writeSecret('token', FIRST) });
  writeSecret('token', SECOND.slice(2));
  desk.hangUp();
  await expect
    .poll(() => eventsOf(desk, 'secrets not changed').map(({ reason }) => reason))
    .toContain(
      `DESK_AUTH_TOKEN_FILE is "${join(folder, 'token')}", which must hold 64 hexadecimal digits. Perpdesk continues with the previous ones.`,
    );
  expect(await readOrders(desk)).toBe(200);
  writeSecret('token', SECOND, 0o644);
  desk.hangUp();
  await expect
    .poll(() => JSON.stringify(desk.logged))
    .toContain('other users may access (mode 644): run chmod 600 on it');
  expect(await readOrders(desk)).toBe(200);
  venue.accept(SECOND);
  writeSecret('token', SECOND);
  desk.hangUp();
  await expect.poll(() => readOrders(desk)).toBe(200);
});

it('a key in a file of settings is followed, and a credential of systemd', async () => {
  const desk = await startDesk({ DESK_CONFIG: writeSecret('desk.env', `DESK_AUTH_TOKEN=${FIRST}\n`) });
  // As systemd provides it: its access list appears as access of the group.
  writeSecret('DESK_AUTH_TOKEN', FIRST, 0o440);
  const service = await startDesk({ DESK_DATA_DIR: join(folder, 'service'), CREDENTIALS_DIRECTORY: folder });
  expect([await readOrders(desk), await readOrders(service)]).toEqual([200, 200]);
  venue.accept(SECOND);
  writeSecret('desk.env', `DESK_AUTH_TOKEN=${SECOND}\n`);
  writeSecret('DESK_AUTH_TOKEN', SECOND, 0o440);
  await expect.poll(() => readOrders(desk)).toBe(200);
  await expect.poll(() => readOrders(service)).toBe(200);
});

it('a service is not ended by SIGHUP, not even through the launcher', async () => {
  const desk = await startDesk({ DESK_AUTH_TOKEN_FILE: writeSecret('token', FIRST) }, 'src/tools/launch.mjs');
  desk.hangUp();
  await expect.poll(() => eventsOf(desk, 'secrets read again')).toHaveLength(1);
  expect(await readOrders(desk)).toBe(200);
});

it('calls go to the channels of the settings as they are now', async () => {
  const receivers: readonly [Receiver, Receiver] = [await openReceiver(), await openReceiver()];
  onTestFinished(async () => {
    for (const { close } of receivers) await close();
  });
  const channelsOf = ({ url }: Receiver): string => JSON.stringify({ desk: { kind: 'standard', url, secret: SECRET } });
  const desk = await startDesk({
    DESK_AUTH_TOKEN_FILE: writeSecret('token', FIRST),
    DESK_WEBHOOKS_FILE: writeSecret('webhooks', channelsOf(receivers[0])),
  });
  writeSecret('webhooks', channelsOf(receivers[1]));
  await expect.poll(() => eventsOf(desk, 'secrets read again')).toHaveLength(1);
  const { path, method } = DESK_ACTIONS.testChannel;
  const response = await fetch(`${desk.address}${path.slice(1)}?channel=desk`, {
    method,
    headers: { [ACTION_HEADER]: 'testChannel' },
  });
  expect(response.status, await response.text()).toBe(200);
  expect(receivers.map(({ notifications }) => notifications.length)).toEqual([0, 1]);
});
