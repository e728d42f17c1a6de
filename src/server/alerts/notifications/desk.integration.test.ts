import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import type { DeskDeliveries, DeskNotifications } from '#contract/desk/notifications.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { buildApp } from '#testing/build-app.ts';
import { openReceiver, SECRET, type Receiver } from '#testing/notifications/receiver.ts';
import { addressed, sampleEvent } from '#testing/notifications/sample-events.ts';
import { openFaultyVenue, type FaultyVenue } from '#testing/faults/faulty-venue.ts';
import { locationAt } from '#testing/server-store/store-location.ts';
import { startDeskProcess, type DeskProcess } from '#testing/attacks/desk-process.ts';
import { sendRequest } from '#testing/http-client.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { withClient } from '#testing/with-client.ts';
import { createOutbox } from './outbox.ts';
import type { StorePlace } from '#server/store/open-store.ts';

/** Starts whole servers as their operators do. */

let venue: FaultyVenue;
let receiver: Receiver;

beforeAll(async () => {
  [venue, receiver] = await Promise.all([openFaultyVenue({ now: Date.now }), openReceiver()]);
  await buildApp();
});

afterAll(async () => {
  await Promise.all([venue.close(), receiver.close()]);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-calls-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Adds the alerts that existed when the server was stopped. */
async function addEvents(place: StorePlace, channels: readonly string[]): Promise<void> {
  const store = await locationAt(place).open();
  await createOutbox(store).add(addressed([sampleEvent(1)], channels), Date.now());
  await store.close();
}

interface Desk extends DeskProcess {
  readonly address: string;
}

async function startDesk(environment: Readonly<Record<string, string>>): Promise<Desk> {
  const usual = { DESK_VENUE_URL: venue.baseUrl, DESK_PORT: '0', DESK_BUDGET: '0', DESK_LOG_LEVEL: 'debug' };
  const desk = await startDeskProcess({ environment: { ...usual, ...environment } });
  onTestFinished(async () => {
    desk.signal('SIGTERM');
    await desk.ended;
  });
  return desk.address === null ? expect.fail(desk.output()) : { ...desk, address: desk.address };
}

async function read(desk: Desk, path: string): Promise<string> {
  return (await sendRequest(desk.address, { path })).body.toString();
}

const parseNotifications = createParser(DESK_ENDPOINTS.calls.response);
const parseDeliveries = createParser(DESK_ENDPOINTS.callDeliveries.response);
const readNotifications = async (desk: Desk): Promise<DeskNotifications> =>
  parseNotifications.strict(await read(desk, '/api/desk/calls'));
const readDeliveries = async (desk: Desk, query = ''): Promise<DeskDeliveries> =>
  parseDeliveries.strict(await read(desk, `/api/desk/calls/deliveries${query}`));

const test = (desk: Desk, channel: string) =>
  sendRequest(desk.address, {
    method: 'POST',
    path: `/api/desk/calls/test?channel=${channel}`,
    headers: { [ACTION_HEADER]: 'testChannel' },
  });

const ROUTING_KEY = 'R0UT1NGKEY'.repeat(3) + 'ab';
const SLACK_PATH = '/services/T0SLACKT0/B0SLACKB0/s1acks3cretpart';

describe('a desk', () => {
  it('delivers what waits, shows what came of it, and shows no secret', { timeout: 120_000 }, async () => {
    const dataDir = newFolder();
    const origin = `http://127.0.0.1:${String(receiver.port)}`;
    const webhooks = {
      desk: { kind: 'standard', url: receiver.url, secret: SECRET },
      chat: { kind: 'slack', url: `${origin}${SLACK_PATH}` },
      duty: { kind: 'pagerduty', url: `${origin}/v2/enqueue`, secret: ROUTING_KEY },
    };
    await addEvents({ dataDir, databaseUrl: null }, [...Object.keys(webhooks), 'night', 'gone']);
    // A careless receiver echoes everything it received.
    receiver.replies((response, { url = '' }, { text }) => {
      response
        .writeHead(url === '/v2/enqueue' ? 500 : 200)
        .end(`${url} ${url.startsWith('/hooks') ? SECRET : ''} ${text}`);
    });
    const desk = await startDesk({
      DESK_DATA_DIR: dataDir,
      DESK_WEBHOOKS: JSON.stringify(webhooks),
      DESK_SMTP_URL: 'smtp://user:mai1s3cret@127.0.0.1:1',
      DESK_MAIL_FROM: 'perpdesk@firm.example',
      DESK_MAIL_TO: 'night=duty@firm.example',
    });
    await expect
      .poll(async () => new Set((await readDeliveries(desk)).deliveries.map(({ channel }) => channel)).size, {
        timeout: 60_000,
      })
      .toBe(4);
    const { delivers, channels } = await readNotifications(desk);
    expect(delivers).toBe(true);
    const host = `127.0.0.1:${String(receiver.port)}`;
    expect(channels.map(({ name, kind, host: shown, state, waiting }) => [name, kind, shown, state, waiting])).toEqual([
      ['desk', 'standard', host, 'working', 0],
      ['chat', 'slack', host, 'working', 0],
      ['duty', 'pagerduty', host, 'failing', 1],
      ['night', 'mail', '127.0.0.1:1', 'failing', 1],
      ['gone', null, null, 'not configured', 1],
    ]);
    const tests = await Promise.all(['desk', 'chat', 'duty', 'night'].map((name) => test(desk, name)));
    expect(
      tests.map(({ status, body }) => [status, (JSON.parse(body.toString()) as { readonly outcome: string }).outcome]),
    ).toEqual([
      [200, 'delivered'],
      [200, 'delivered'],
      [200, 'failed'],
      [200, 'failed'],
    ]);
    const refused = [
      await test(desk, 'desk'),
      await test(desk, 'gone'),
      await sendRequest(desk.address, { method: 'POST', path: '/api/desk/calls/test?channel=desk' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([429, 400, 403]);
    const page = await readDeliveries(desk, '?limit=1&channel=desk');
    const { cursor } = page.pagination;
    const rest = await readDeliveries(desk, `?channel=desk&cursor=${String(cursor)}`);
    expect([...page.deliveries, ...rest.deliveries].map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [0, 'delivered'],
      [1, 'delivered'],
    ]);

    const answers = await Promise.all(
      [
        ...Object.values(DESK_ENDPOINTS).map(({ path }) => path),
        '/metrics',
        '/readyz',
        '/api/desk/calls/deliveries?cursor=x',
        '/',
      ].map((path) => read(desk, path)),
    );
    desk.signal('SIGTERM');
    expect(await desk.ended).toBe(0);
    const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
    const said = [
      desk.output(),
      ...answers,
      ...[...tests, ...refused].map(({ body }) => body.toString()),
      ...files,
    ].join('\n');
    expect(said.includes('(secret)')).toBe(true);
    expect(desk.output()).toContain('"notification failed"');
    const secrets = [
      SECRET,
      SECRET.slice(6),
      ROUTING_KEY,
      SLACK_PATH,
      's1acks3cretpart',
      'mai1s3cret',
      Buffer.from('mai1s3cret').toString('base64'),
      '/hooks/abcdefgh12345678',
    ];
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  });
});

describe('two desks on one store', () => {
  it(
    'deliver by one of them, and by the other when that is killed, each alert with one id',
    { timeout: 180_000 },
    async () => {
      receiver.replies((response) => void response.writeHead(204).end());
      const databaseUrl = await createDatabase();
      await addEvents({ dataDir: '', databaseUrl }, ['desk']);
      const start = (path: string) => {
        const webhooks = { desk: { kind: 'standard', url: new URL(path, receiver.url).href, secret: SECRET } };
        return startDesk({
          DESK_DATA_DIR: newFolder(),
          DESK_DATABASE_URL: databaseUrl,
          DESK_WEBHOOKS: JSON.stringify(webhooks),
        });
      };
      const keyOf = ({ text }: { readonly text: string }): string => /"key":"([^"]*)"/.exec(text)?.[1] ?? '';
      const sentOf = (n: number) =>
        receiver.notifications.filter(
          (sent) => ['/one', '/two'].includes(sent.path) && keyOf(sent) === sampleEvent(n).key,
        );
      const pathsOf = (n: number) => sentOf(n).map(({ path }) => path);
      const add = (n: number) => {
        const insert =
          "INSERT INTO call_event (channel, key, number, added_at, call, event) VALUES ('desk', $1, $2, $3, '', $4)";
        const values = [sampleEvent(n).key, n, Date.now(), JSON.stringify(sampleEvent(n))];
        return withClient(databaseUrl, (client) => client.query(insert, values));
      };
      const one = await start('/one');
      await expect.poll(() => pathsOf(1), { timeout: 60_000 }).toEqual(['/one']);
      const two = await start('/two');
      await add(2);
      // The leader is killed after it has sent this, before it can record that.
      receiver.replies((response, request, notification) => {
        if (request.url === '/one' && keyOf(notification) === sampleEvent(2).key) one.signal('SIGKILL');
        else response.writeHead(204).end();
      });
      expect((await test(two, 'desk')).status).toBe(200);
      expect(receiver.notifications.filter(({ text }) => text.includes('This is a test')).at(-1)?.path).toBe('/one');
      await expect.poll(() => pathsOf(2), { timeout: 60_000 }).toEqual(['/one']);
      // This is stored, and not sent by the leader any more.
      await add(3);
      await expect.poll(() => pathsOf(3), { timeout: 90_000 }).toEqual(['/two']);
      expect([pathsOf(1), pathsOf(2)]).toEqual([['/one'], ['/one', '/two']]);
      expect(new Set(sentOf(2).map(({ id }) => id)).size).toBe(1);
      expect((await readNotifications(two)).delivers).toBe(true);
      // The delivery is recorded after the receiver has responded.
      await expect
        .poll(async () => (await readDeliveries(two)).deliveries.map(({ outcome }) => outcome))
        .toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
    },
  );
});
