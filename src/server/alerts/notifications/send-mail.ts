import type { MailSettings, SmtpServer } from '#server/core/channel-settings.ts';
import {
  type AlertEvent,
  type Notification,
  toHeading,
  toHeadline,
  toIncident,
  toLine,
  toLinks,
  toListed,
  toPlainLine,
} from './notification.ts';
import { connect, isIP, type Socket } from 'node:net';
import { isLoopback } from '#server/core/network.ts';
import {
  checkLiteral,
  createGuardedLookup,
  createRedact,
  limitTime,
  type Redact,
  type Resolve,
  type Sender,
  type SenderDeps,
  type SendResult,
  toFailedSend,
} from './sender.ts';

const CONNECT_MS = 5_000;
/** A mail server may delay its greeting to unknown clients. */
const TOTAL_MS = 30_000;
const MOST_EVENTS = 1_000;

/** Sends notifications as mail, through the mail server of the settings. */
export function createMailSender(settings: MailSettings, { deskUrl, schedule, resolve }: SenderDeps): Sender {
  const { server } = settings;
  // The library takes megabytes, so only servers with such a channel load it, before the first notification.
  const mailer = import('nodemailer');
  const redact = createRedact(secretsOf(server));
  return {
    host: `${server.host}:${String(server.port)}`,
    mostEvents: MOST_EVENTS,
    send: async (notification, signal) => {
      const { createTransport } = await mailer;
      signal.throwIfAborted();
      const limited = limitTime(signal, TOTAL_MS, schedule);
      const transport = createTransport(toOptions(server, resolve));
      try {
        const { response, rejected } = await transport.sendMail({
          ...toMail(notification, settings, deskUrl()),
          signal: limited.signal,
        });
        return toDelivered(redact(response), rejected.length, settings.to.length);
      } catch (error) {
        signal.throwIfAborted();
        return toFailed(limited.signal.aborted ? limited.signal.reason : error, redact);
      } finally {
        limited.cancel();
        transport.close();
      }
    },
  };
}

/** Connects to a mail server and signs in, without sending anything. Returns what went wrong in a sentence, or null. */
export async function verifyMailServer(server: SmtpServer): Promise<string | null> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(toOptions(server, undefined));
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return toFailed(error, createRedact(secretsOf(server))).reason;
  } finally {
    transport.close();
  }
}

function toOptions(server: SmtpServer, resolve: Resolve | undefined) {
  const { host, port, isTls, login } = server;
  const isHere = isLoopback(host);
  return {
    host,
    port,
    secure: isTls,
    // Mail to this machine needs no encryption, and its server rarely has a certificate for that name.
    requireTLS: !isTls && !isHere,
    ignoreTLS: isHere,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const },
    ...(isIP(host) === 0 && { servername: host }),
    ...(login !== null && { auth: { user: login.user, pass: login.password }, forceAuth: true }),
    getSocket: (_: unknown, done: (error: Error | null, socket?: { readonly connection: Socket }) => void) => {
      openSocket(server, resolve, done);
    },
    greetingTimeout: TOTAL_MS,
    socketTimeout: TOTAL_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Opens the connection itself, so that the address it leads to is checked. */
function openSocket(
  server: SmtpServer,
  resolve: Resolve | undefined,
  done: (error: Error | null, socket?: { readonly connection: Socket }) => void,
): void {
  try {
    checkLiteral(server);
  } catch (error) {
    done(error as Error);
    return;
  }
  const socket = connect({ host: server.host, port: server.port, lookup: createGuardedLookup(server, resolve) });
  const fail = (error: Error): void => {
    socket.destroy();
    done(error);
  };
  const giveUp = (): void => {
    fail(new DOMException('It did not respond in time.', 'TimeoutError'));
  };
  socket.setTimeout(CONNECT_MS, giveUp);
  socket.once('error', fail);
  socket.once('connect', () => {
    socket.off('error', fail);
    socket.off('timeout', giveUp);
    socket.setTimeout(0);
    done(null, { connection: socket });
  });
}

function toDelivered(answer: string, rejected: number, all: number): SendResult {
  const reason = rejected === 0 ? '' : `It rejects ${String(rejected)} of ${String(all)} recipients.`;
  return { outcome: 'delivered', status: toCode(answer), reason, answer, retryAfterMs: null };
}

function toCode(answer: string): number | null {
  return /^\d{3}/.test(answer) ? Number(answer.slice(0, 3)) : null;
}

/** Errors about sender, recipients or the message itself. */
const ABOUT_THE_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

function toFailed(error: unknown, redact: Redact): SendResult {
  const {
    responseCode: status = null,
    response = '',
    code,
  } = (error ?? {}) as { readonly responseCode?: number; readonly response?: string; readonly code?: string };
  if (status === null || code === 'ETLS') {
    const failed = toFailedSend(error);
    return { ...failed, reason: redact(failed.reason), answer: redact(response) };
  }
  const outcome = status >= 500 && ABOUT_THE_MAIL.includes(code) ? 'refused' : 'failed';
  const what = code === 'EAUTH' ? 'It rejects user or password' : 'It responded';
  return { outcome, status, reason: `${what} (${String(status)}).`, answer: redact(response), retryAfterMs: null };
}

function secretsOf({ login }: SmtpServer): readonly string[] {
  return login === null ? [] : [login.password, `\0${login.user}\0${login.password}`];
}

/** The length of a subject that mail programs display. */
const LONGEST_SUBJECT = 150;

/** A message in the form that nodemailer expects. */
interface MailMessage {
  readonly from: string;
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly references: string[];
  readonly date: Date;
  readonly headers: Record<string, string>;
}

/**
 * Returns a mail with the sentence, rule and link of each event. All mails about one incident refer to the same message
 * ID, which was never sent, so that mail programs group them in one thread.
 *
 * @internal Exported for its test.
 */
export function toMail(
  notification: Notification,
  { from, to }: Pick<MailSettings, 'from' | 'to'>,
  deskUrl: string | null,
): MailMessage {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const { parts, rest } = toListed(notification);
  const headline = toHeadline(notification);
  const listed = parts.flatMap((part) => part.listed);
  return {
    from,
    to: [...to],
    subject: toPlainLine(headline, LONGEST_SUBJECT),
    text: [...parts.map((part) => toMailText(part, deskUrl)), ...(rest === null ? [] : [`${rest}\n`])].join('\n'),
    html:
      '<!doctype html><html ' +
      `lang="en"><body>${parts.map((part) => toMailHtml(part, deskUrl)).join('')}` +
      `${rest === null ? '' : `<p>${rest}</p>`}</body></html>`,
    messageId: `<${notification.id}@${domain}>`,
    references: listed.map((event) => `<${toIncident(event)}@${domain}>`),
    date: new Date(notification.madeAt),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

type Part = ReturnType<typeof toListed>['parts'][number];

function toMailText(part: Part, deskUrl: string | null): string {
  const lines = part.listed.flatMap((event) => [
    toLine(event),
    toTime(event),
    ...toLinks(event, deskUrl).map(([name, link]) => `${name}: ${link}`),
    '',
  ]);
  return [toHeading(part), '', ...lines].join('\n');
}

function toMailHtml(part: Part, deskUrl: string | null): string {
  const events = part.listed.map((event) => {
    const links = toLinks(event, deskUrl).map(([name, link]) => ` · <a href="${escapeHtml(link)}">${name}</a>`);
    return `<p><bdi>${escapeHtml(toLine(event))}</bdi><br><small>${toTime(event)}${links.join('')}</small></p>`;
  });
  return `<h4><bdi>${escapeHtml(toHeading(part))}</bdi></h4>${events.join('')}`;
}

function toTime({ at }: AlertEvent): string {
  return new Date(at).toISOString();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
