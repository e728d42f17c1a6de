import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  deliveriesOf,
  nthDelivery,
  openNotifications,
  untilNextAttempt,
  webhookTo,
  type OpenNotifications,
} from '#testing/notifications/open-notifications.ts';
import {
  accepts,
  keysOf,
  openReceiver,
  respondsWith,
  type Receiver,
  type Reply,
} from '#testing/notifications/receiver.ts';
import { addressed, sampleEvent } from '#testing/notifications/sample-events.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { GROUP_WAIT_MS } from './outbox.ts';
import type { WebhookSettings } from '#server/core/channel-settings.ts';

interface Opened extends OpenNotifications {
  readonly receiver: Receiver;
}

async function open(change: Partial<WebhookSettings> = {}): Promise<Opened> {
  const clock = createFakeClock();
  const receiver = await openReceiver({ now: clock.now });
  onTestFinished(receiver.close);
  return { receiver, ...(await openNotifications([webhookTo(receiver, change)], { clock })) };
}

/** Sends one notification for the first time and returns the result. */
async function firstAttempt(opened: Opened, reply: Reply) {
  opened.receiver.replies(reply);
  await opened.notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
  await opened.clock.advance(GROUP_WAIT_MS);
  return nthDelivery(opened, 1);
}

describe('a webhook', () => {
  it('is signed by the rules of Standard Webhooks, and lists all that happened within the group wait', async () => {
    const opened = await open();
    const { notifications, clock, receiver } = opened;
    await notifications.enqueue(addressed([sampleEvent(1), sampleEvent(2)], ['desk']));
    await clock.advance(3_000);
    await notifications.enqueue(addressed([sampleEvent(2), sampleEvent(3, { state: 'resolved' })], ['desk']));
    await clock.advance(GROUP_WAIT_MS - 3_000);
    expect(await nthDelivery(opened, 1)).toMatchObject({
      outcome: 'delivered',
      attempt: 1,
      events: 3,
      status: 204,
      summary: '[warning] Many working orders: NORD-1, NORD-2; [resolved] Many working orders: NORD-3',
    });
    const [notification] = receiver.notifications;
    expect(receiver.notifications).toHaveLength(1);
    expect(notification).toMatchObject({ isSigned: true, path: '/hooks/abcdefgh12345678' });
    expect(notification?.id).toMatch(/^call_[\w-]{22}$/);
    expect(JSON.parse(notification?.text ?? '')).toMatchObject({
      type: 'perpdesk.alerts',
      data: {
        summary: '[warning] Many working orders: NORD-1, NORD-2; [resolved] Many working orders: NORD-3',
        events: [
          {
            group: 'NORD-1',
            state: 'firing',
            sentence: 'Working orders of NORD-1: 1,001, over 1,000.',
            url: 'http://127.0.0.1:8080/orders?account_id=NORD-1',
          },
          { group: 'NORD-2' },
          { group: 'NORD-3', state: 'resolved' },
        ],
      },
    });
  });

  it('has at most 100 alerts: the others follow in order, each once', async () => {
    const opened = await open();
    const events = Array.from({ length: 250 }, (_, n) => sampleEvent(n));
    await opened.notifications.enqueue(addressed(events, ['desk', 'desk']));
    await opened.clock.advance(GROUP_WAIT_MS);
    await nthDelivery(opened, 3);
    expect(opened.receiver.notifications.map((notification) => keysOf(notification).length)).toEqual([100, 100, 50]);
    expect(opened.receiver.notifications.flatMap(keysOf)).toEqual(events.map(({ key }) => key));
  });

  it('that fails is sent again with the same id and body, later each time, and what happened meanwhile follows in one call', async () => {
    const opened = await open();
    const { receiver, notifications } = opened;
    await firstAttempt(opened, respondsWith(500, {}, 'out of order'));
    const waits: number[] = [];
    for (let attempt = 2; attempt <= 5; attempt++) {
      await notifications.enqueue(addressed([sampleEvent(attempt)], ['desk']));
      waits.push(await untilNextAttempt(opened));
      expect(await nthDelivery(opened, attempt)).toMatchObject({
        outcome: 'failed',
        status: 500,
        attempt,
        reason: 'It responded with 500.',
        answer: 'out of order',
      });
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000]);
    receiver.replies(accepts);
    await untilNextAttempt(opened);
    expect(await nthDelivery(opened, 7)).toMatchObject({ outcome: 'delivered', attempt: 1, events: 4 });
    const [first, ...others] = receiver.notifications;
    expect(
      others.slice(0, 5).every(({ id, text, isSigned }) => id === first?.id && text === first.text && isSigned),
    ).toBe(true);
    expect(receiver.notifications.at(-1)?.id).not.toBe(first?.id);
    expect(new Set(receiver.notifications.map(({ headers }) => headers['webhook-timestamp'])).size).toBeGreaterThan(4);
    expect(receiver.notifications.slice(5).flatMap(keysOf)).toEqual([1, 2, 3, 4, 5].map((n) => sampleEvent(n).key));
  });

  it.each([
    ['seconds', '120', 120_000],
    ['a date', 'Tue, 14 Nov 2023 22:15:25 GMT', 120_000],
    ['nonsense', 'soon', 5_000],
  ])('is sent again when Retry-After allows it: %s', async (_, value, wait) => {
    const opened = await open();
    // The fake clock begins at 22:13:20, and the events have waited 5 s for others.
    await firstAttempt(opened, respondsWith(429, { 'retry-after': value }));
    expect(await untilNextAttempt(opened)).toBe(wait);
  });

  it('is given up after a day, which is said, and later ones are delivered', async () => {
    const opened = await open();
    await firstAttempt(opened, respondsWith(503, { 'retry-after': '40000' }));
    await untilNextAttempt(opened);
    await nthDelivery(opened, 2);
    await opened.notifications.enqueue(addressed([sampleEvent(2)], ['desk']));
    await untilNextAttempt(opened);
    await nthDelivery(opened, 3);
    // The wait that the receiver requests is cut at the end of the day.
    expect(await untilNextAttempt(opened)).toBeLessThan(40_000_000);
    expect(await nthDelivery(opened, 4)).toMatchObject({
      outcome: 'given up',
      reason: 'It responded with 503. Given up after a day.',
    });
    expect(opened.logged.join('\n')).toContain('"notification given up"');
    opened.receiver.replies(accepts);
    await nthDelivery(opened, 5);
    expect(keysOf(opened.receiver.notifications.at(-1) ?? expect.fail('no call'))).toEqual([sampleEvent(2).key]);
  });

  it('that is rejected for its body is given up after three attempts', async () => {
    const opened = await open();
    await firstAttempt(opened, respondsWith(400, {}, 'invalid_payload'));
    for (const n of [2, 3]) {
      await untilNextAttempt(opened);
      await nthDelivery(opened, n);
    }
    expect((await deliveriesOf(opened)).map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'given up']);
  });
});

describe('while the store cannot be written', () => {
  it('what was delivered is not sent again, nothing else is sent, and both follow once it can', async () => {
    const opened = await open();
    const { notifications, clock, receiver, store } = opened;
    receiver.replies((response) => {
      void store.stopWrites().then(() => response.writeHead(204).end());
    });
    await notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
    await clock.advance(GROUP_WAIT_MS);
    await expect.poll(() => store.state().failedWrites).toBeGreaterThan(0);
    await expect(notifications.enqueue(addressed([sampleEvent(2)], ['desk']))).rejects.toMatchObject({
      problem: { type: 'desk-cannot-write' },
    });
    await clock.advance(20_000);
    expect([receiver.notifications.length, await deliveriesOf(opened)]).toEqual([1, []]);
    await store.allowWrites();
    receiver.replies(accepts);
    await clock.advance(5_000);
    expect(await nthDelivery(opened, 1)).toMatchObject({ outcome: 'delivered', events: 1 });
    await notifications.enqueue(addressed([sampleEvent(2)], ['desk']));
    await clock.advance(GROUP_WAIT_MS);
    await nthDelivery(opened, 2);
    expect(receiver.notifications.map(keysOf)).toEqual([[sampleEvent(1).key], [sampleEvent(2).key]]);
    expect(opened.logged).toEqual([]);
  });
});

describe('a receiver that responds with 410', () => {
  it('gets no more calls until a test is delivered, and then all that waited', async () => {
    const opened = await open();
    const { notifications, clock, receiver } = opened;
    expect(await firstAttempt(opened, respondsWith(410))).toMatchObject({ outcome: 'ended' });
    await notifications.enqueue(addressed([sampleEvent(2)], ['desk']));
    await clock.advance(3_600_000);
    expect((await notifications.describe()).channels).toMatchObject([
      { name: 'desk', endedAt: expect.any(Number) as number, waiting: 2 },
    ]);
    expect(receiver.notifications).toHaveLength(1);
    expect(await notifications.test('desk')).toMatchObject({ outcome: 'failed', status: 410 });
    expect(await notifications.test('desk')).toEqual({ waitSeconds: 10 });
    await clock.advance(10_000);
    receiver.replies(accepts);
    expect(await notifications.test('desk')).toMatchObject({
      outcome: 'delivered',
      attempt: 0,
      summary: '[info] This is a test of the channel desk: notifications arrive here.',
    });
    await expect.poll(() => receiver.notifications.length).toBe(5);
    expect(receiver.notifications.slice(3).map(keysOf)).toEqual([[sampleEvent(1).key], [sampleEvent(2).key]]);
  });

  it('gets calls again after a restart; what has waited for a day is given up, and that is said', async () => {
    const opened = await open();
    await firstAttempt(opened, respondsWith(410));
    await opened.close();
    opened.receiver.replies(accepts);
    const again = await openNotifications([webhookTo(opened.receiver)], opened);
    await expect.poll(() => opened.receiver.notifications.length).toBe(2);
    expect(opened.receiver.notifications[1]?.id).toBe(opened.receiver.notifications[0]?.id);
    await nthDelivery(again, 2);
    await again.close();
    const withoutChannel = await openNotifications([], opened);
    await withoutChannel.notifications.enqueue(addressed([sampleEvent(7)], ['desk']));
    expect((await withoutChannel.notifications.describe()).channels).toMatchObject([
      { name: 'desk', channel: null, waiting: 1 },
    ]);
    await opened.clock.advance(25 * 3_600_000);
    expect(await nthDelivery(withoutChannel, 3)).toMatchObject({
      outcome: 'given up',
      events: 1,
      reason: 'The settings name no such channel. Given up after a day.',
    });
    expect((await withoutChannel.notifications.describe()).channels).toEqual([]);
  });
});

/** Sends a little, then nothing until it is cut off. */
const hangs: Reply = () => undefined;
const drips: Reply = (response: ServerResponse) => {
  response.writeHead(200);
  response.write('slow');
};
const closes: Reply = (response) => void response.socket?.destroy();
const floods: Reply = (response) => {
  response.writeHead(200);
  response.on('error', () => undefined);
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    response.once('drain', more);
  };
  more();
};

describe('a receiver', () => {
  it.each([
    [
      'redirects',
      respondsWith(302, { location: 'http://127.0.0.1:1/' }),
      /^It responded with 302, a redirect, which is not followed\.$/,
    ],
    ['closes the connection', closes, /^It closed the connection \(\w+\)\.$/],
    [
      'has headers without end',
      respondsWith(200, { padding: 'x'.repeat(20_000) }),
      /^Its response has headers that are too large|^Its response is not valid HTTP/,
    ],
  ])('that %s has not taken the call', async (_, reply, reason) => {
    const opened = await open();
    expect(await firstAttempt(opened, reply)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(reason) as string,
    });
    expect(opened.receiver.notifications).toHaveLength(1);
  });

  it('that hangs has not taken the call after ten seconds', async () => {
    const opened = await open();
    opened.receiver.replies(hangs);
    await opened.notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
    await opened.clock.advance(GROUP_WAIT_MS);
    await expect.poll(() => opened.receiver.notifications.length).toBe(1);
    await opened.clock.advance(10_000);
    expect(await nthDelivery(opened, 1)).toMatchObject({
      outcome: 'failed',
      status: null,
      reason: 'It did not respond in time.',
      tookMs: 10_000,
    });
  });

  it('that drips its answer has taken the call: its status says so', async () => {
    const opened = await open();
    opened.receiver.replies(drips);
    const statusReceived = new Promise((resolve) => {
      subscribe('undici:request:headers', resolve);
    });
    await opened.notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
    await opened.clock.advance(GROUP_WAIT_MS);
    await statusReceived;
    await opened.clock.advance(10_000);
    expect(await nthDelivery(opened, 1)).toMatchObject({ outcome: 'delivered', status: 200 });
  });

  it('that floods is read up to the beginning of its answer', async () => {
    expect(await firstAttempt(await open(), floods)).toMatchObject({ outcome: 'delivered', answer: 'x'.repeat(200) });
  });

  it('that repeats the secrets of its address and its signature does not get them into the log', async () => {
    const opened = await open();
    const { answer } = await firstAttempt(opened, (response, { url = '' }) => {
      response.writeHead(500).end(`${url} YSBzZWNyZXQgb2YgYXQgbGVhc3QgMjQgYnl0ZXM= abcdefgh12345678`);
    });
    expect(answer).toBe('(secret) (secret) (secret)');
    expect(opened.logged.join('')).not.toContain('abcdefgh');
  });

  it('with a certificate that is not trusted gets nothing', async () => {
    const certificate = makeSelfSigned(Date.now());
    const receiver = await openReceiver({ certificate });
    onTestFinished(receiver.close);
    const opened = await openNotifications([webhookTo(receiver)]);
    await opened.notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
    await opened.clock.advance(GROUP_WAIT_MS);
    expect(await nthDelivery(opened, 1)).toMatchObject({
      outcome: 'failed',
      reason:
        'Its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): if its authority is your own, set ' +
        'DESK_CA_FILE to a file with the certificate of that authority.',
    });
    setDefaultCACertificates([...trusted, certificate.cert]);
    await untilNextAttempt(opened);
    expect(await nthDelivery(opened, 2)).toMatchObject({ outcome: 'delivered' });
    expect(receiver.notifications).toHaveLength(1);
  });
});

const trusted = getCACertificates('default');
afterEach(() => {
  setDefaultCACertificates(trusted);
});

describe('an address in a private network', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1 leads to 127.0.0.1'],
    ['10.0.0.7', '10.0.0.7'],
    ['169.254.169.254', '169.254.169.254'],
    ['[fd00:ec2::254]', 'fd00:ec2::254'],
    ['[::ffff:10.0.0.7]', '::ffff:a00:7'],
    ['0x7f.1', '127.0.0.1'],
  ])('is not connected to unless its setting says so: https://%s', async (host, said) => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    const url = `https://${host}:${String(receiver.port)}/`;
    const opened = await openNotifications([
      webhookTo({ url }),
      webhookTo({ url }, { name: 'private', allowsPrivate: true }),
    ]);
    await opened.notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
    await opened.clock.advance(GROUP_WAIT_MS);
    const { outcome, reason } = await nthDelivery(opened, 1);
    const isLoopbackItself = host === '127.0.0.1' || host === '0x7f.1';
    expect(outcome).toBe('failed');
    if (!isLoopbackItself)
      expect(reason).toContain(`${said}, which is not public: its setting must say that it is private`);
    if (!isLoopbackItself) expect(receiver.connections()).toBe(0);
  });

  it('that a public name leads to, from the beginning or later, is not connected to', async () => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    const addresses = ['192.168.1.1', '127.0.0.1', '::1'];
    let lookups = 0;
    const opened = await openNotifications([webhookTo({ url: `https://hooks.example:${String(receiver.port)}/x` })], {
      resolve: (_, __, done) => {
        const address = addresses[lookups++] ?? '10.0.0.1';
        done(null, [
          { address: '93.184.215.14', family: 4 },
          { address, family: address.includes(':') ? 6 : 4 },
        ]);
      },
    });
    await opened.notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
    await opened.clock.advance(GROUP_WAIT_MS);
    for (const [index, address] of addresses.entries()) {
      expect(await nthDelivery(opened, index + 1)).toMatchObject({
        outcome: 'failed',
        reason: `hooks.example leads to ${address}, which is not public: its setting must say that it is private.`,
      });
      await untilNextAttempt(opened);
    }
    expect(receiver.connections()).toBe(0);
  });

  it('is connected to where its setting says so', async () => {
    const opened = await open();
    const { port } = opened.receiver;
    const named = await openNotifications(
      [webhookTo({ url: `http://hooks.example:${String(port)}/x` }, { allowsPrivate: true })],
      {
        resolve: (_, __, done) => {
          done(null, [{ address: '127.0.0.1', family: 4 }]);
        },
      },
    );
    await named.notifications.enqueue(addressed([sampleEvent(1)], ['desk']));
    await named.clock.advance(GROUP_WAIT_MS);
    expect(await nthDelivery(named, 1)).toMatchObject({ outcome: 'delivered' });
  });
});
