import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESK_ENDPOINTS, type DeskWorking } from '#contract/desk/desk.ts';
import type { DeskAliases } from '#contract/desk/aliases.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  folders.push(folder);
  return folder;
};
let venue: StartedProcess;

beforeAll(async () => {
  venue = await startVenue();
}, 60_000);

afterAll(async () => {
  await venue.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function aliasesOf(server: StartedProcess): Promise<DeskAliases['aliases']> {
  const response = await fetch(`${server.address}api/desk/aliases`);
  expect(response.headers.get('cache-control')).toContain('no-store');
  return createParser(DESK_ENDPOINTS.aliases.response).strict(await response.text()).aliases;
}

const read = async (server: StartedProcess, path: string): Promise<unknown> =>
  (await fetch(server.address + path)).json();

/** The self-test at the start reads one order of the history, whose owner gets aliases as well. */
async function untilTested(server: StartedProcess): Promise<void> {
  await expect
    .poll(async () => ((await read(server, 'api/desk/status')) as { readonly self_test: unknown }).self_test)
    .not.toBeNull();
}

test(
  'the owners of working orders get aliases that survive a restart, and another folder gives others',
  { timeout: 60_000 },
  async () => {
    const folder = newFolder();
    const first = await startServer(venue.address, folder);
    await untilTested(first);
    const known = await aliasesOf(first);
    expect(known.map(({ kind }) => kind).toSorted()).toEqual(['account', 'connection', 'firm']);
    const { orders } = (await read(first, 'api/desk/working')) as DeskWorking;
    const aliases = await aliasesOf(first);
    const codesOf = (kind: string) => aliases.filter((entry) => entry.kind === kind).map(({ code }) => code);
    const withKnown = (kind: string, codes: readonly string[]) =>
      new Set([...codes, ...known.filter((entry) => entry.kind === kind).map(({ code }) => code)]);
    expect(new Set(codesOf('account'))).toEqual(
      withKnown(
        'account',
        orders.map(({ account_id: code }) => code),
      ),
    );
    expect(new Set(codesOf('firm'))).toEqual(
      withKnown(
        'firm',
        orders.map(({ clearing_firm_code: code }) => code),
      ),
    );
    expect(new Set(codesOf('connection'))).toEqual(
      withKnown(
        'connection',
        orders.map(({ connection_id: code }) => code),
      ),
    );
    expect(new Set(aliases.map(({ alias }) => alias)).size).toBe(aliases.length);
    await first.stop();

    const again = await startServer(venue.address, folder);
    expect((await aliasesOf(again)).toSorted(byAlias)).toEqual(aliases.toSorted(byAlias));
    await again.stop();

    const other = await startServer(venue.address, newFolder());
    await read(other, 'api/desk/working');
    const others = new Set((await aliasesOf(other)).map(({ alias }) => alias));
    expect(aliases.filter(({ alias }) => others.has(alias))).toEqual([]);
    await other.stop();
  },
);

function byAlias(one: { readonly alias: string }, two: { readonly alias: string }): number {
  return one.alias < two.alias ? -1 : 1;
}

test(
  'the owners of past orders get aliases as well, and the key is in a file of its own',
  { timeout: 60_000 },
  async () => {
    const folder = newFolder();
    const server = await startServer(venue.address, folder);
    const { data } = (await read(server, 'api/orders?limit=50')) as { readonly data: DeskWorking['orders'] };
    const codes = (await aliasesOf(server)).filter(({ kind }) => kind === 'account').map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(data.map(({ account_id: code }) => code)));
    expect(readFileSync(join(folder, 'link-key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    const response = await fetch(`${server.address}api/desk/aliases?code=HALC-101`);
    expect(response.status).toBe(400);
    await server.stop();
  },
);
