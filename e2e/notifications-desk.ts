import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMailServer, type MailServer } from '#testing/notifications/mail-server.ts';
import { openReceiver, SECRET, type Receiver } from '#testing/notifications/receiver.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { startServer } from '#testing/start-desk.ts';
import { test as watched } from './watched-page.ts';

/** A channel of each kind, by name. */
export const CHANNELS = { standard: 'desk', slack: 'chat', pagerduty: 'duty', mail: 'night' } as const;

interface NotificationsDesk {
  readonly address: string;
  /** The receivers of the webhooks, each at its own path. */
  readonly receiver: Receiver;
  readonly mail: MailServer;
}

/** Each test has a server of its own, with a channel of each kind. The channels lead to receivers of the test's own. */
export const test = watched.extend<{ readonly desk: NotificationsDesk }>({
  desk: async ({}, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-calls-'));
    const [receiver, mail, venue] = await Promise.all([
      openReceiver(),
      openMailServer({ certificate: makeSelfSigned(Date.now(), '127.0.0.1'), withoutStartTls: true }),
      startVenue(['--history-days', '40', '--orders', '200', '--working', '50']),
    ]);
    const server = await startServer(venue.address, dataDir, {
      DESK_JOURNAL_SECONDS: '5',
      ...toSettings(receiver, mail),
    });
    await use({ address: server.address, receiver, mail });
    await server.stop();
    await Promise.all([venue.stop(), receiver.close(), mail.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  },
  baseURL: async ({ desk }, use) => {
    await use(desk.address);
  },
});

function toSettings({ url }: Receiver, { port }: MailServer): Readonly<Record<string, string>> {
  const webhooks = {
    [CHANNELS.standard]: { kind: 'standard', url, secret: SECRET },
    [CHANNELS.slack]: { kind: 'slack', url: new URL('/services/T0/B0/s1acks3cretpart', url).href },
    [CHANNELS.pagerduty]: {
      kind: 'pagerduty',
      url: new URL('/v2/enqueue', url).href,
      secret: 'R0UT1NGKEY'.repeat(3) + 'ab',
    },
  };
  return {
    DESK_WEBHOOKS: JSON.stringify(webhooks),
    DESK_SMTP_URL: `smtp://127.0.0.1:${String(port)}`,
    DESK_MAIL_FROM: 'perpdesk@firm.example',
    DESK_MAIL_TO: `${CHANNELS.mail}=duty@firm.example`,
  };
}
