import { expect, onTestFinished, test } from 'vitest';
import { createStreamReader, type StreamReader } from '#page/client/live/stream-reader.ts';
import type { FollowedTopic, FromReader, ToReader } from '#page/client/live/live.ts';
import { responds } from '../faults/behaviours.ts';
import { openFault, PUBLIC, type Fault } from '../faults/open-fault.ts';
import { sampleResponses } from '../sample-responses.ts';

const WORKING: FollowedTopic = { address: 'working-orders', key: 'id', account: 'account_id', rowsField: 'orders' };
const STATUS: FollowedTopic = { address: 'status', key: null, account: null, rowsField: null };
const [order] = sampleResponses.ordersWorking;
const PATIENCE = { timeout: 20_000 };

interface Page {
  readonly received: readonly FromReader[];
  readonly send: (message: ToReader) => void;
}

/** Opens a browser's reader in front of a server, with real sockets in between. */
async function openBrowser(): Promise<{
  readonly fault: Fault;
  readonly reader: StreamReader;
  readonly targets: readonly string[];
}> {
  const fault = await openFault({ clockRuns: true });
  // This request syncs the clock for the signature.
  await fault.send(PUBLIC);
  fault.venue.alwaysDoes(responds({ body: JSON.stringify([order]) }));
  const timers = new Set<NodeJS.Timeout>();
  const targets: string[] = [];
  const closing = new AbortController();
  const reader = createStreamReader({
    fetch: (target, init) => {
      targets.push(target);
      return fetch(new URL(target, fault.address), {
        ...init,
        signal: AbortSignal.any([closing.signal, ...(init.signal ? [init.signal] : [])]),
      });
    },
    now: () => Date.now(),
    random: () => 0,
    schedule: (ms, call) => {
      const timer = setTimeout(call, ms);
      timers.add(timer);
      return () => {
        clearTimeout(timer);
      };
    },
  });
  onTestFinished(() => {
    closing.abort();
    for (const timer of timers) clearTimeout(timer);
  });
  return { fault, reader, targets };
}

function openPage(reader: StreamReader): Page {
  const received: FromReader[] = [];
  const send = reader.connect((message) => void received.push(message));
  return { received, send };
}

const kinds = ({ received }: Page, address: string): readonly string[] =>
  received.flatMap((message) => ('address' in message && message.address === address ? [message.kind] : []));

test('pages share one stream; who comes later is sent what is known', async () => {
  const { reader, targets } = await openBrowser();
  const [first, second] = [openPage(reader), openPage(reader)];
  first.send({ kind: 'follow', topics: [WORKING] });
  await expect.poll(() => kinds(first, 'working-orders')[0], PATIENCE).toBe('whole');
  second.send({ kind: 'follow', topics: [WORKING] });
  expect(kinds(second, 'working-orders')).toEqual(['whole']);
  expect(targets).toEqual(['/api/desk/live?topic=working-orders&fresh=working-orders']);
  const [whole] = second.received.filter(({ kind }) => kind === 'whole');
  expect(whole?.kind === 'whole' && (JSON.parse(whole.text) as unknown)).toMatchObject({
    complete: true,
    orders: [order],
  });
});

test('another topic joins the stream without a second snapshot of the first; one that nobody wants leaves it', async () => {
  const { reader, targets } = await openBrowser();
  const page = openPage(reader);
  page.send({ kind: 'follow', topics: [WORKING] });
  await expect.poll(() => kinds(page, 'working-orders')[0], PATIENCE).toBe('whole');
  page.send({ kind: 'follow', topics: [WORKING, STATUS] });
  await expect.poll(() => kinds(page, 'status')[0], PATIENCE).toBe('whole');
  expect(targets.at(-1)).toBe('/api/desk/live?topic=status&topic=working-orders&fresh=status');
  expect(kinds(page, 'working-orders').filter((kind) => kind === 'whole')).toHaveLength(1);
  page.send({ kind: 'follow', topics: [STATUS] });
  await expect.poll(() => targets.at(-1), PATIENCE).toBe('/api/desk/live?topic=status');
  page.send({ kind: 'leave' });
  await expect.poll(() => targets.length, PATIENCE).toBe(3);
});

test('when the stream ends, pages are told', async () => {
  const { fault, reader } = await openBrowser();
  const page = openPage(reader);
  page.send({ kind: 'follow', topics: [WORKING] });
  await expect.poll(() => kinds(page, 'working-orders')[0], PATIENCE).toBe('whole');
  await fault.closeDesk();
  await expect.poll(() => page.received.at(-1), PATIENCE).toEqual({ kind: 'stream', state: 'connecting' });
});
