import { readFileSync } from 'node:fs';
import { examinePostgres } from '#sql/examine-postgres.ts';
import { findPlainPassage, PLAIN_BY_CHOICE } from '#sql/postgres-address.ts';
import { checkLiteral, createGuardedLookup, toFailedSend } from '#server/alerts/notifications/sender.ts';
import { verifyMailServer } from '#server/alerts/notifications/send-mail.ts';
import type { ChannelSettings, MailSettings, WebhookSettings } from '#server/core/channel-settings.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import { type OidcSettings, parseGroupRoles, type ProviderSettings } from '#server/core/provider-settings.ts';
import { createProvider } from '#server/people/oidc/provider.ts';
import { type Check, failed, ok, warning } from './checks.ts';
import { checkAddress } from './check-certificates.ts';
import { checkKeys } from './check-keys.ts';

/** A check, and how far the clock of the other machine is ahead, if it said the time. */
interface Examined {
  readonly checks: readonly Check[];
  readonly clock?: readonly [name: string, aheadMs: number];
}

type Clocks = Pick<ServerPorts, 'now' | 'elapsed'>;

/** The oldest version that its makers still mend. */
const OLDEST_POSTGRES = 14;

export async function checkDatabase(url: string, clocks: Clocks): Promise<Examined> {
  const subject = 'PostgreSQL';
  let facts;
  try {
    facts = await examinePostgres(url);
  } catch (error) {
    return { checks: [failed(subject, error instanceof Error ? error.message : String(error))] };
  }
  const { version, isReadOnly, mayCreate, mayWrite, now } = facts;
  return { checks: [judge()], clock: ['PostgreSQL', now - clocks.now()] };

  function judge(): Check {
    if (isReadOnly)
      return failed(subject, 'It is read-only. Choose the primary server, or give this user write access.');
    if (!mayCreate)
      return failed(subject, 'This user may not create tables there: grant it CREATE on the schema that it uses.');
    if (!mayWrite)
      return failed(
        subject,
        'Another user owns the tables of Perpdesk there: use that user, or grant this one all rights.',
      );
    if (findPlainPassage(url) === 'by choice') return warning(subject, PLAIN_BY_CHOICE);
    return Number.parseInt(version, 10) < OLDEST_POSTGRES
      ? warning(subject, `It has version ${version}, which is no longer maintained: update it.`)
      : ok(subject, `It has version ${version}, and this user may create and write tables.`);
  }
}

export async function checkProvider({ groupsFile, source }: ProviderSettings, clocks: Clocks): Promise<Examined> {
  const groups = checkGroups(groupsFile);
  switch (source.kind) {
    case 'oidc': {
      const { checks, ...rest } = await checkOidc(source, clocks);
      return { checks: [groups, ...checks], ...rest };
    }
    case 'headers':
      return { checks: [groups] };
    case 'tokens': {
      if ('file' in source.keys) return { checks: [groups] };
      const { check, ...rest } = await checkKeys('keys of the proxy', source.keys.url, clocks);
      return { checks: [groups, check], ...rest };
    }
  }
}

function checkGroups(path: string): Check {
  const groups = parseGroupRoles(readFileSync(path, 'utf8'));
  if ('problem' in groups) return failed('groups', `DESK_GROUPS is "${path}", which ${groups.problem}.`);
  const hasAdmin = [...groups.values()].some(({ roles }) => roles.includes('admin'));
  const remark = `DESK_GROUPS has ${groups.size === 1 ? 'one group' : `${String(groups.size)} groups`}`;
  return hasAdmin
    ? ok('groups', `${remark}.`)
    : warning(
        'groups',
        `${remark}, none with the role admin, so no one can open People and Audit. Give one that role.`,
      );
}

async function checkOidc(settings: OidcSettings, clocks: Clocks): Promise<Examined> {
  const subject = 'OpenID provider';
  const reasons: string[] = [];
  const { configuration } = createProvider(settings, {
    elapsed: clocks.elapsed,
    log: (_, __, fields) => {
      reasons.push(String((typeof fields === 'function' ? fields() : fields)?.['reason']));
    },
  });
  try {
    const metadata = (await configuration()).serverMetadata();
    const { jwks_uri: keys, end_session_endpoint: end } = metadata;
    const discovered = ok(
      subject,
      `Discovery at ${settings.issuer} works.${end === undefined ? ' It has no address to sign out at.' : ''}`,
    );
    const certificate = await checkAddress('OpenID provider', settings.issuer, clocks.now());
    const first = certificate.outcome === 'ok' ? discovered : certificate;
    if (keys === undefined) return { checks: [first, failed('provider’s keys', 'It names no keys (jwks_uri).')] };
    const { check, ...rest } = await checkKeys('provider’s keys', keys, clocks);
    return { checks: [first, check], ...rest };
  } catch {
    return {
      checks: [
        failed(
          subject,
          `Discovery at ${settings.issuer} failed: ${reasons.join(' ')}. Check DESK_OIDC_ISSUER, and that this machine reaches it.`,
        ),
      ],
    };
  }
}

/** Connects to each destination of notifications. Sends none. */
export async function checkChannels(channels: readonly ChannelSettings[], now: number): Promise<readonly Check[]> {
  const mail = channels.find((channel): channel is MailSettings => channel.kind === 'mail');
  const webhooks = channels.filter((channel): channel is WebhookSettings => channel.kind !== 'mail');
  const checks = webhooks.map((webhook) => checkWebhook(webhook, now));
  return Promise.all([...checks, ...(mail === undefined ? [] : [checkMail(mail)])]);
}

async function checkWebhook({ name, url, allowsPrivate }: WebhookSettings, now: number): Promise<Check> {
  const subject = `webhook ${name}`;
  const reach = { host: new URL(url).hostname.replace(/^\[|\]$/g, ''), allowsPrivate };
  try {
    checkLiteral(reach);
  } catch (error) {
    return failed(subject, toFailedSend(error).reason);
  }
  return checkAddress(subject, url, now, createGuardedLookup(reach));
}

/** All recipients have the same server. */
async function checkMail({ server }: MailSettings): Promise<Check> {
  const place = `${server.host}:${String(server.port)}`;
  const problem = await verifyMailServer(server);
  return problem === null
    ? ok('mail server', `${place} accepts connections${server.login === null ? '' : ' and the login'}.`)
    : failed('mail server', `${place}: ${problem}`);
}
