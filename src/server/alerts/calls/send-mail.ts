import { connect, isIP, type Socket } from 'node:net';
import type { MailSettings, SmtpServer } from '#server/core/channel-settings.ts';
import { isLoopback } from '#server/core/network.ts';
import { checkLiteral, createGuardedLookup, type Resolve } from './addresses.ts';
import { toMail } from './mail.ts';
import { limitTime } from './limit-time.ts';
import { createRedact, type Redact } from './redact.ts';
import { toFailedSend, type SendResult } from './send-result.ts';
import type { Sender, SenderParts } from './sender.ts';

const CONNECT_MS = 5_000;
/** A server may wait before it greets whom it does not know. */
const TOTAL_MS = 30_000;
const MOST_EVENTS = 1_000;

/** Sends calls as mail, through the server of the settings. */
export function createMailSender(settings: MailSettings, { deskUrl, schedule, resolve }: SenderParts): Sender {
  const { server } = settings;
  // It takes megabytes, which only those with such a channel need; they have it before the first call.
  const mailer = import('nodemailer');
  const redact = createRedact(secretsOf(server));
  return {
    host: `${server.host}:${String(server.port)}`,
    mostEvents: MOST_EVENTS,
    send: async (call, signal) => {
      const { createTransport } = await mailer;
      signal.throwIfAborted();
      const limited = limitTime(signal, TOTAL_MS, schedule);
      const transport = createTransport(toOptions(server, resolve));
      try {
        const { response, rejected } = await transport.sendMail({
          ...toMail(call, settings, deskUrl()),
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

function toOptions(server: SmtpServer, resolve: Resolve | undefined) {
  const { host, port, isTls, login } = server;
  const isHere = isLoopback(host);
  return {
    host,
    port,
    secure: isTls,
    // What does not leave this machine needs no encryption, and its server seldom has a certificate of that name.
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

/** Connects itself, so that the address is checked that the connection leads to. */
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

/** About sender, recipients or the message itself. */
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
