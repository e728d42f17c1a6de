import { spawn } from 'node:child_process';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { constants, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { responds } from '#testing/faults/behaviours.ts';
import { openFault, PUBLIC, type Fault, type FaultOptions } from '#testing/faults/open-fault.ts';
import { sampleResponses } from '#testing/sample-responses.ts';

/** Streams are compressed by the rules of gzip (RFC 1952), so that strict clients find no error. */

const PATH = '/api/desk/live?topic=working-orders&topic=status';

async function openWithOrders(options: FaultOptions = {}): Promise<Fault> {
  const fault = await openFault({ ...options, clockRuns: true });
  // Syncs the clock for the signature.
  await fault.send(PUBLIC);
  fault.venue.alwaysDoes(responds({ body: JSON.stringify(sampleResponses.ordersWorking) }));
  return fault;
}

async function openStream({ address }: Fault): Promise<IncomingMessage> {
  const sent = httpRequest(new URL(PATH, address), { headers: { 'accept-encoding': 'gzip' }, agent: false });
  return new Promise((resolve, reject) => void sent.once('response', resolve).once('error', reject).end());
}

/** Collects what arrives, as it arrives. */
function collect(source: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  const readAll = async (): Promise<Buffer> => {
    for await (const chunk of source) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return { soFar: () => Buffer.concat(chunks), all: readAll() };
}

/** Each topic has been read. */
const untilRead = (textSoFar: () => string): Promise<void> =>
  expect.poll(() => textSoFar().match(/^event: read$/gm)?.length ?? 0).toBeGreaterThanOrEqual(2);

test('a compressed stream that ends in order is whole, by the rules of zlib', async () => {
  const fault = await openWithOrders();
  const received = collect(await openStream(fault));
  const inflate = (): string =>
    received.soFar().byteLength === 0
      ? ''
      : gunzipSync(received.soFar(), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  await untilRead(inflate);
  const before = inflate();
  await fault.closeDesk();
  expect(gunzipSync(await received.all).toString()).toBe(before);
});

test('curl and fetch find no fault in it', async () => {
  const fault = await openWithOrders();
  const address = new URL(PATH, fault.address);
  const curl = spawn('curl', ['-sSN', '--compressed', address.href]);
  const ended = new Promise<number | null>((resolve) => void curl.once('close', resolve));
  const { body } = await fetch(address);
  const clients = [collect(curl.stdout), collect(body ?? expect.fail('no stream'))];
  const errors = text(curl.stderr);
  for (const { soFar } of clients) await untilRead(() => soFar().toString());
  await fault.closeDesk();
  for (const { all } of clients) expect((await all).toString()).toContain('event: snapshot');
  expect({ code: await ended, errors: await errors }).toEqual({ code: 0, errors: '' });
});

test('frames are sent as they are, without chunks around them', async () => {
  const { headers } = await openStream(await openWithOrders());
  expect(headers['transfer-encoding']).toBeUndefined();
  expect(headers.connection).toBe('close');
});

test('compression can be switched off', async () => {
  const fault = await openWithOrders({ compressesLive: false });
  const response = await openStream(fault);
  expect(response.headers['content-encoding']).toBeUndefined();
  const received = collect(response);
  await untilRead(() => received.soFar().toString());
  await fault.closeDesk();
  expect((await received.all).toString()).toContain('event: snapshot');
});
