import type {
  ChannelSettings,
  HeartbeatSettings,
  MailSettings,
  SmtpServer,
  WebhookSettings,
} from '#server/core/channel-settings.ts';
import { isLoopback } from '#server/core/network.ts';
import { readNumber, readSecret, type Source } from './source.ts';

/** Reads the destinations of notifications: `DESK_WEBHOOKS`, and `DESK_MAIL_TO` through `DESK_SMTP_URL`. */
export function readChannels(source: Source): readonly ChannelSettings[] {
  const channels = [...readWebhooks(source), ...readMail(source)];
  const names = channels.map(({ name }) => name.toLowerCase());
  const twice = new Set(
    channels.filter(({ name }, index) => names.indexOf(name.toLowerCase()) < index).map(({ name }) => name),
  );
  for (const name of twice)
    source.problem(`DESK_WEBHOOKS and DESK_MAIL_TO name two channels "${name}": give one of them another name.`);
  return channels;
}

/** Reads the address that is requested while Perpdesk works; null if there is none. */
export function readHeartbeat(source: Source): HeartbeatSettings | null {
  const everySeconds = readNumber(source, 'DESK_HEARTBEAT_SECONDS', { unset: 60, least: 10, most: 3_600 });
  const found = readSecret(source, 'DESK_HEARTBEAT_URL');
  if (!found) return null;
  const problem = urlProblem(found.text);
  return problem === null ? { url: found.text, everySeconds } : source.problem(`${found.from} ${problem}.`);
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
const NAME_SENTENCE = 'up to 40 letters, digits, - or _';

const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';
const FORM =
  '{"desk": {"kind": "standard", "url": "https://…", "secret": "whsec_…"}, "chat": {"kind": "slack", ' +
  '"url": "https://…"}, "duty": {"kind": "pagerduty", "secret": "…"}}';

function readWebhooks(source: Source): readonly WebhookSettings[] {
  const found = readSecret(source, 'DESK_WEBHOOKS');
  if (!found) return [];
  const { text, from, isFile } = found;
  const entries = parseObject(text);
  if (entries === null) {
    source.problem(
      `${from}${isFile ? ', which must hold' : ' must be'} a JSON object of named addresses, such as ${FORM}.`,
    );
    return [];
  }
  return entries.flatMap(([name, value], index) => {
    const webhook = toWebhook(name, value);
    if (typeof webhook !== 'string') return [webhook];
    // An invalid name may be a secret in the wrong place.
    const which = NAME.test(name) ? `"${name}"` : `number ${String(index + 1)}`;
    source.problem(`${from}${isFile ? ', whose address' : ': the address'} ${which} ${webhook}.`);
    return [];
  });
}

function parseObject(text: string): readonly (readonly [name: string, value: unknown])[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? Object.entries(value) : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const KINDS = ['standard', 'slack', 'pagerduty'] as const;
const FIELDS = ['kind', 'url', 'secret', 'private'];

/** Returns the webhook, or the rest of a sentence about it, which repeats nothing that may be a secret. */
function toWebhook(name: string, value: unknown): WebhookSettings | string {
  if (!NAME.test(name)) return `must have a name of ${NAME_SENTENCE}`;
  if (!isObject(value)) return `must be an object, as in ${FORM}`;
  if (Object.keys(value).some((field) => !FIELDS.includes(field)))
    return `may have the fields ${FIELDS.join(', ')} only`;
  const kind = KINDS.find((one) => one === value['kind']);
  return kind === undefined ? `must have a kind: ${KINDS.join(', ')}` : toWebhookOf(kind, name, value);
}

function toWebhookOf(
  kind: WebhookSettings['kind'],
  name: string,
  value: Readonly<Record<string, unknown>>,
): WebhookSettings | string {
  const { url = kind === 'pagerduty' ? PAGERDUTY_URL : '', secret = '', private: allowsPrivate = false } = value;
  if (typeof url !== 'string' || typeof secret !== 'string' || typeof allowsPrivate !== 'boolean')
    return 'must have texts as url and secret, and true or false as private';
  const problem = urlProblem(url) ?? secretProblem(kind, secret);
  return problem ?? { name, kind, url, secret, allowsPrivate };
}

function urlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'must have a url: an absolute https address';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must have a url without user and password';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))) return null;
  return 'must have an https url: only to this machine http is allowed';
}

function secretProblem(kind: WebhookSettings['kind'], secret: string): string | null {
  if (kind === 'slack') return secret === '' ? null : 'must have no secret: the url of Slack is one';
  if (kind === 'pagerduty')
    return /^[A-Za-z0-9]{32}$/.test(secret)
      ? null
      : 'must have a secret: the routing key of PagerDuty, 32 letters and digits';
  return isSigningSecret(secret)
    ? null
    : 'must have a secret: whsec_ and 24 to 64 bytes in base64, as "openssl rand -base64 32" makes them';
}

function isSigningSecret(secret: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return base64.length % 4 === 0 && bytes.length >= 24 && bytes.length <= 64;
}

function readMail(source: Source): readonly MailSettings[] {
  const server = readServer(source);
  const from = readFrom(source);
  const recipients = readRecipients(source);
  const missing = [
    ...(server === undefined ? ['DESK_SMTP_URL'] : []),
    ...(from === undefined ? ['DESK_MAIL_FROM'] : []),
    ...(recipients === undefined ? ['DESK_MAIL_TO'] : []),
  ];
  if (missing.length === 3) return [];
  for (const name of missing)
    source.problem(`${name} is missing: mail needs DESK_SMTP_URL, DESK_MAIL_FROM and DESK_MAIL_TO.`);
  if (!server || !from || !recipients) return [];
  return [...recipients].map(([name, to]) => ({ name, kind: 'mail', server, from, to }));
}

const SMTP_FORM =
  'smtps://user:password@host:465, or smtp://… for STARTTLS, with ?private=1 if it is in a private ' +
  'network. Special characters in user and password must be percent-encoded';

function readServer(source: Source): SmtpServer | null | undefined {
  const secret = readSecret(source, 'DESK_SMTP_URL');
  if (!secret) return secret;
  const { text, from, isFile } = secret;
  return (
    parseServer(text) ??
    source.problem(`${from}${isFile ? ', which must hold' : ' must be'} the address of a mail server: ${SMTP_FORM}.`)
  );
}

const SMTP_PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 };

function parseServer(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = SMTP_PORTS[protocol];
  const isPlain = ['', '?private=1'].includes(search) && ['', '/'].includes(pathname) && hash === '';
  const login = toLogin(username, password);
  if (usual === undefined || hostname === '' || !isPlain || login === undefined) return null;
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: port === '' ? usual : Number(port),
    isTls: protocol === 'smtps:',
    login,
    allowsPrivate: search !== '',
  };
}

function toLogin(username: string, password: string): SmtpServer['login'] | undefined {
  if (username === '') return password === '' ? null : undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** Excludes spaces and characters with a meaning in a header, which no real address needs. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

function readFrom({ value, problem }: Source): string | null | undefined {
  const from = value('DESK_MAIL_FROM');
  if (from === null) return undefined;
  return ADDRESS.test(from) ? from : problem('DESK_MAIL_FROM must be one mail address, such as perpdesk@firm.example.');
}

function readRecipients({ value, problem }: Source): ReadonlyMap<string, readonly string[]> | null | undefined {
  const text = value('DESK_MAIL_TO');
  if (text === null) return undefined;
  const recipients = new Map<string, readonly string[]>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [name = '', address = ''] = part.split(/=(.*)/s);
    if (!NAME.test(name) || !ADDRESS.test(address)) {
      return problem(
        `DESK_MAIL_TO must be names (${NAME_SENTENCE}) with mail addresses, such as ` +
          'night=duty@firm.example,risk=ann@firm.example,risk=bo@firm.example: a name may have several.',
      );
    }
    recipients.set(name, [...(recipients.get(name) ?? []), address]);
  }
  return recipients;
}
