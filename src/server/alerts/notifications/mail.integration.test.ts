import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openMailServer, type MailServerOptions } from '#testing/notifications/mail-server.ts';
import { nthDelivery, openNotifications, untilNextAttempt } from '#testing/notifications/open-notifications.ts';
import { addressed, HOSTILE_TEXT, sampleEvent } from '#testing/notifications/sample-events.ts';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import type { MailSettings, SmtpServer } from '#server/core/channel-settings.ts';
import type { AlertEvent } from './notification.ts';
import { GROUP_WAIT_MS } from './outbox.ts';

const HOST = 'mail.firm.example';
const certificate = makeSelfSigned(Date.now(), HOST);
const trusted = getCACertificates('default');
const LOGIN = { user: 'desk', password: 'p@ss word' };

beforeEach(() => {
  setDefaultCACertificates([...trusted, certificate.cert]);
});
afterEach(() => {
  setDefaultCACertificates(trusted);
});

async function open(options: Partial<MailServerOptions> = {}, change: Partial<SmtpServer> = {}) {
  const server = await openMailServer({ certificate, ...options });
  onTestFinished(server.close);
  const smtp: SmtpServer = {
    host: HOST,
    port: server.port,
    isTls: options.isTls ?? false,
    login: options.login ?? null,
    allowsPrivate: true,
    ...change,
  };
  const settings: MailSettings = {
    name: 'night',
    kind: 'mail',
    server: smtp,
    from: 'perpdesk@firm.example',
    to: ['duty@firm.example', 'second@firm.example'],
  };
  const opened = await openNotifications([settings], {
    resolve: (_, __, done) => {
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    },
  });
  const send = async (n: number, ...events: readonly AlertEvent[]) => {
    await opened.notifications.enqueue(addressed(events, ['night']));
    await opened.clock.advance(GROUP_WAIT_MS);
    return nthDelivery(opened, n);
  };
  return { ...opened, server, send };
}

/** Returns the value of a header, unfolded. */
function headerOf(source: string, name: string): string | undefined {
  const [head = ''] = source.split('\r\n\r\n');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head.replaceAll(/\r\n[ \t]+/g, ' '))?.[1];
}

describe('a mail', () => {
  it.each([
    ['by STARTTLS', { login: LOGIN }, {}],
    ['by TLS from the beginning', { login: LOGIN, isTls: true }, {}],
    ['to an address with a certificate', { isTls: true }, { host: '127.0.0.1' }],
  ])('is delivered encrypted and with the login of the settings: %s', async (_, options, change) => {
    const { send, server } = await open(options, change);
    expect(await send(1, sampleEvent(1))).toMatchObject({ outcome: 'delivered', status: 250, reason: '' });
    expect(server.mails).toMatchObject([
      {
        from: 'perpdesk@firm.example',
        to: ['duty@firm.example', 'second@firm.example'],
        isEncrypted: true,
        user: 'login' in options ? 'desk' : null,
      },
    ]);
  });

  it('needs no encryption on this machine', async () => {
    const { send, server } = await open(
      { login: LOGIN, withoutStartTls: true },
      { host: 'localhost', allowsPrivate: false },
    );
    expect(await send(1, sampleEvent(1))).toMatchObject({ outcome: 'delivered' });
    expect(server.mails).toMatchObject([{ isEncrypted: false, user: 'desk' }]);
  });

  it('has one id at each attempt, and is in the thread of its incident', async () => {
    const opened = await open();
    const { send, server } = opened;
    await send(1, sampleEvent(1));
    server.rejects(451);
    expect(await send(2, sampleEvent(1, { state: 'resolved' }))).toMatchObject({
      outcome: 'failed',
      status: 451,
      reason: 'It responded (451).',
      answer: '451 no thanks',
    });
    server.rejects(null);
    await untilNextAttempt(opened);
    expect(await nthDelivery(opened, 3)).toMatchObject({ outcome: 'delivered', attempt: 2 });
    const [fired = '', resolved = ''] = server.mails.map(({ source }) => source);
    expect(headerOf(resolved, 'Subject')).toBe('[resolved] Working orders of NORD-1: 1,001, over 1,000.');
    expect(headerOf(resolved, 'References')).toBe(headerOf(fired, 'References'));
    expect(headerOf(fired, 'References')).toMatch(/^<[\w-]{32}@firm\.example>$/);
    const { notification } = await nthDelivery(opened, 3);
    expect(headerOf(resolved, 'Message-ID')).toBe(`<${notification}@firm.example>`);
    expect(headerOf(fired, 'Auto-Submitted')).toBe('auto-generated');
  });

  it('of a hostile rule has the headers and recipients of any other', async () => {
    const { send, server } = await open();
    await send(
      1,
      sampleEvent(1, { ruleName: HOSTILE_TEXT, sentence: HOSTILE_TEXT, group: HOSTILE_TEXT }),
      sampleEvent(2),
    );
    await send(
      2,
      sampleEvent(3, { startedAt: 5, ruleName: HOSTILE_TEXT, sentence: HOSTILE_TEXT, group: HOSTILE_TEXT }),
    );
    const names = ({ source }: { readonly source: string }) =>
      [...(source.split('\r\n\r\n')[0] ?? '').matchAll(/^([\w-]+):/gm)].map(([, name]) => name).sort();
    expect(server.mails.map(({ to }) => to)).toEqual([
      ['duty@firm.example', 'second@firm.example'],
      ['duty@firm.example', 'second@firm.example'],
    ]);
    for (const mail of server.mails) {
      expect(names(mail)).toEqual([
        'Auto-Submitted',
        'Content-Type',
        'Date',
        'From',
        'MIME-Version',
        'Message-ID',
        'References',
        'Subject',
        'To',
      ]);
      // The limit of RFC 5322.
      expect(mail.source.split('\r\n').every((line) => line.length <= 998)).toBe(true);
    }
  });

  it('that the server rejects is given up after three attempts', async () => {
    const opened = await open();
    opened.server.rejects(554);
    await opened.send(1, sampleEvent(1));
    for (const n of [2, 3]) {
      await untilNextAttempt(opened);
      await nthDelivery(opened, n);
    }
    expect(await nthDelivery(opened, 3)).toMatchObject({ outcome: 'given up', status: 554 });
  });
});

describe('a mail server', () => {
  it('that rejects the login, and repeats it, does not get the password into the log', async () => {
    const { send, logged } = await open({ login: LOGIN }, { login: { user: 'desk', password: 'wr0ng' } });
    const delivery = await send(1, sampleEvent(1));
    expect(delivery).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^It rejects user or password/) as string,
    });
    expect(JSON.stringify([delivery, logged])).not.toContain('wr0ng');
    expect(delivery.answer).toContain('(secret)');
  });

  it.each([
    ['without STARTTLS', { withoutStartTls: true }, {}, /^It does not offer STARTTLS/],
    [
      'with a certificate of another name',
      {},
      { host: 'other.firm.example' },
      /^Its certificate is not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    ],
    [
      'in a private network that its setting does not name',
      {},
      { allowsPrivate: false },
      /leads to 127\.0\.0\.1, which is not public/,
    ],
  ])('%s gets neither login nor mail', async (_, options, change, reason) => {
    const { send, server } = await open({ login: LOGIN, ...options }, change);
    expect(await send(1, sampleEvent(1))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(reason) as string,
    });
    expect(server.mails).toEqual([]);
  });

  it('that hangs is left after half a minute', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const opened = await open({}, { port: (silent.address() as { readonly port: number }).port });
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    await opened.notifications.enqueue(addressed([sampleEvent(1)], ['night']));
    await opened.clock.advance(GROUP_WAIT_MS);
    await connected;
    await opened.clock.advance(30_000);
    expect(await nthDelivery(opened, 1)).toMatchObject({ outcome: 'failed', reason: 'It did not respond in time.' });
  });
});
