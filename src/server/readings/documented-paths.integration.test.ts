// What /openapi.json, /openapi-desk.json and docs/api.md say holds for a running server.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { OIDC_ROUTES } from '#contract/desk/oidc.ts';
import { sendRequest } from '#testing/http-client.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';

let desk: StartedDesk;

beforeAll(async () => {
  desk = await startDesk({ venue: ['--orders', '100', '--working', '10'] });
}, 120_000);

afterAll(() => desk.stop());

interface Operation {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly example: string | readonly string[];
  }[];
}

interface ServedDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

async function readServed(path: string): Promise<ServedDocument> {
  const { status, body } = await sendRequest(desk.server.address, { path });
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as ServedDocument;
}

function fill(path: string, { parameters }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    String(parameters.find((one) => one.in === 'path' && one.name === name)?.example),
  );
}

/** Sends each request of a document, without parameters in the query and without a body. */
async function request({ servers, paths }: ServedDocument) {
  const base = servers[0]?.url.replace(/\/$/, '') ?? '';
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: `${base}${fill(path, operation)}`,
    })),
  );
  return Promise.all(
    operations.map(async ({ method, path }) => {
      // The stream of live data does not end, so only its head is of interest.
      const response = await fetch(new URL(path, desk.server.address), { method, redirect: 'manual' });
      const text = response.status < 400 ? '' : await response.text();
      await response.body?.cancel().catch(() => undefined);
      return { path: `${method} ${path}`, status: response.status, text };
    }),
  );
}

test('every path of /openapi.json returns data', async () => {
  const responses = await request(await readServed('/openapi.json'));
  expect(responses.length).toBeGreaterThan(10);
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
});

/** They exist only if people sign in with an OpenID provider. */
const OIDC_PATHS: readonly string[] = Object.values(OIDC_ROUTES).map(({ method, path }) => `${method} ${path}`);

test('every path and method of /openapi-desk.json is known', async () => {
  const responses = await request(await readServed('/openapi-desk.json'));
  expect(responses.length).toBeGreaterThan(50);
  expect(
    responses.filter(
      ({ path, status, text }) =>
        !OIDC_PATHS.includes(path) && (status === 405 || text.includes('not-in-the-interface')),
    ),
  ).toEqual([]);
});

test('the program of docs/api.md prints the APR of each perpetual', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
  const [, program = ''] = /```python\n([^`]+)```/.exec(document) ?? [];
  const { stdout } = await promisify(execFile)('python3', [
    '-c',
    program.replace('http://127.0.0.1:8080', desk.server.address.replace(/\/$/, '')),
  ]);
  const [begin] = /begin_time=[^']+/.exec(program) ?? [];
  const { body } = await sendRequest(desk.server.address, { path: `/api/desk/funding?${String(begin)}` });
  const { perpetuals } = JSON.parse(body.toString()) as DeskFunding;
  const settled = perpetuals.filter(({ prints }) => prints.length > 0);
  const expected = settled.map(({ base_symbol: symbol, prints }) => {
    const sum = prints.reduce((total, { funding_rate: rate }) => total + Math.round(Number(rate) * 1e12), 0);
    return [symbol, prints.length, (sum / prints.length / 1e12) * 3 * 365 * 100] as const;
  });
  const printed = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  expect(printed.map(([symbol, count]) => [symbol, Number(count)])).toEqual(
    expected.map(([symbol, count]) => [symbol, count]),
  );
  for (const [at, [, , apr]] of expected.entries()) expect(Number(printed[at]?.[2])).toBeCloseTo(apr, 1);
});
