import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVenue, type OpenVenue } from '#venue/open-venue.ts';
import { realPorts } from '#venue/real-ports.ts';
import { readVenueSettings } from '#venue/venue-settings.ts';
import { sign } from '../http/open-venue-api.ts';
import { recorded, restoreDataFolder } from './data-folder.ts';

const folder = restoreDataFolder();
/** Two seconds after the previous version stopped. */
const wall = (): number => Date.parse(recorded.stoppedAt) + 2_000;

async function open(path: string, live: 'on' | 'off'): Promise<OpenVenue> {
  const { settings } = readVenueSettings(['--port', '0', '--store', join(path, 'venue.sqlite'), '--live', live]);
  if (settings === null) throw new Error('The exchange rejects its options.');
  return openVenue(settings, join(path, 'venue-credential'), { ...realPorts, wall });
}

async function read({ address, credential }: OpenVenue, target: string, signed: boolean): Promise<string> {
  const response = await fetch(address + target, {
    headers: signed ? sign(target, credential, 'GET', wall() * 1_000) : {},
  });
  expect(response.status).toBe(200);
  return response.text();
}

interface OrdersPage {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly cursor: string };
}

function parsePage(body: string): OrdersPage {
  return JSON.parse(body) as OrdersPage;
}

const firstPage = recorded.venue.find(({ target }) => target.startsWith('/v1/prod/orders?')) ?? {
  target: '',
  body: '',
};

let venue: OpenVenue;

beforeAll(async () => {
  venue = await open(folder.path, 'off');
});

afterAll(async () => {
  await venue.close();
  folder.remove();
});

test('the exchange is the same one, with the same credential', () => {
  expect(`sandbox ${venue.identity}`).toBe(recorded.venueId);
  expect(venue.credential.connectionId).toBe(recorded.connectionId);
});

test('products keep their ids and symbols', async () => {
  const products = JSON.parse(await read(venue, '/v1/prod/product/specs/', true)) as readonly {
    readonly product_id: number;
    readonly symbol: string;
  }[];
  expect(products.map(({ product_id: id, symbol }) => [id, symbol])).toEqual(recorded.products);
});

test.each(recorded.venue.map(({ target, signed, body }) => [target, signed, body] as const))(
  '%s returns what it did, cursor included',
  async (target, signed, body) => {
    expect(await read(venue, target, signed)).toBe(body);
  },
);

test('a cursor of the version before leads on, to the first order of all', async () => {
  const { pagination } = parsePage(firstPage.body);
  const rest = parsePage(await read(venue, `${firstPage.target}&cursor=${pagination.cursor}`, true));
  expect(rest.data).toHaveLength(39);
  expect(rest.data.at(-1)?.id).toBe('7675126711620323303');
});

test('trading goes on from there, and no order of the past is lost', async () => {
  const copy = restoreDataFolder();
  const trading = await open(copy.path, 'on');
  const { data } = parsePage(await read(trading, '/v1/prod/orders?limit=1000', true));
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(parsePage(firstPage.body).data.map(({ id }) => id)));
  await trading.close();
  copy.remove();
});
