import { refreshTokenGrant, ResponseBodyError } from 'openid-client';
import type { ServerPorts } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { OidcSettings } from '#server/core/provider-settings.ts';
import type { SealedTexts } from '#server/core/sealed-texts.ts';
import type { AccessRegistry } from '../accounts/access-registry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Entitlement } from '../accounts/entitlement.ts';
import type { Groups } from '../accounts/groups.ts';
import { toProvided } from '../accounts/provided-people.ts';
import type { ProviderSession, SignInSessionRecord } from '../accounts/records.ts';
import { type Claims, isAway, OtherPerson, type Provider, readClaims, reasonOf } from './provider.ts';

interface RefreshDeps extends Pick<ServerPorts, 'now' | 'schedule' | 'log'> {
  readonly settings: OidcSettings;
  readonly provider: Provider;
  readonly groups: Pick<Groups, 'entitlementOf'>;
  readonly refreshTokens: SealedTexts;
  readonly book: Pick<AccessRegistry, 'state' | 'change'>;
  readonly audit: AuditLog;
  /** Only one of several servers on a store refreshes, because a refresh token can often be used only once. */
  readonly holdsLease: () => boolean;
}

type Outcome = 'confirmed' | 'changed' | 'ended' | 'failed';

/** Has the provider confirm the rights of signed-in people at intervals. */
export interface SessionRefresh {
  readonly start: () => void;
  readonly counts: () => Readonly<Record<Outcome, number>>;
  readonly close: () => Promise<void>;
}

/** A session ends after this many intervals without a response from the provider. */
const MOST_INTERVALS = 4;
const LONGEST_PAUSE_MS = 30_000;

type Refreshable = SignInSessionRecord & {
  readonly granted: Entitlement;
  readonly provider: ProviderSession & { readonly refreshToken: string };
};

export function createSessionRefresh(deps: RefreshDeps): SessionRefresh {
  const { settings, book, now, schedule, log, holdsLease } = deps;
  const intervalMs = settings.refreshSeconds * 1_000;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, intervalMs / 2);
  let counts: Readonly<Record<Outcome, number>> = { confirmed: 0, changed: 0, ended: 0, failed: 0 };
  let cancel = (): void => undefined;
  let isOpen = true;
  let running = Promise.resolve();

  /** Keeps a session whose refresh failed from being retried each time. */
  let retryAt: ReadonlyMap<string, number> = new Map();

  const isDue = ({ id, provider }: Refreshable): boolean =>
    now() >= Math.max(provider.confirmedAt + intervalMs, retryAt.get(id) ?? 0);
  const refreshDue = async (): Promise<void> => {
    retryAt = new Map([...retryAt].filter(([, at]) => at > now()));
    const due = [...book.state().sessions.values()].filter(isRefreshable).filter(isDue);
    let isProviderAway = false;
    for (const { id } of due) {
      if (!isOpen || !holdsLease()) return;
      const session = book.state().sessions.get(id);
      if (session === undefined || !isRefreshable(session)) continue;
      const isOver = now() - session.provider.confirmedAt >= MOST_INTERVALS * intervalMs;
      // A provider that is away is not contacted again for each session.
      const result: Result = isProviderAway ? 'away' : await refreshOne(deps, session);
      isProviderAway = result === 'away';
      if (result === 'failed') retryAt = new Map([...retryAt, [id, now() + intervalMs / 2]]);
      const isUnconfirmed = result === 'away' || result === 'failed';
      const outcome =
        isUnconfirmed && isOver
          ? await endSession(deps, session, 'The provider has not confirmed it for too long.')
          : isUnconfirmed
            ? 'failed'
            : result;
      counts = { ...counts, [outcome]: counts[outcome] + 1 };
    }
  };
  const run = (): void => {
    running = refreshDue()
      // The store has reported its own failure.
      .catch((error: unknown) => {
        log('warn', 'sessions not refreshed', { reason: reasonOf(error) });
      })
      .finally(() => {
        if (isOpen) cancel = schedule(pauseMs, run);
      });
  };
  return {
    start: () => {
      if (intervalMs > 0) cancel = schedule(pauseMs, run);
    },
    counts: () => counts,
    close: async () => {
      isOpen = false;
      cancel();
      await running;
    },
  };
}

function isRefreshable(session: SignInSessionRecord): session is Refreshable {
  return session.way === 'oidc' && session.granted !== null && typeof session.provider?.refreshToken === 'string';
}

type Result = Outcome | 'away';

async function refreshOne(deps: RefreshDeps, session: Refreshable): Promise<Result> {
  const { log, refreshTokens } = deps;
  const token = refreshTokens.open(session.provider.refreshToken, session.person);
  if (token === null) {
    log('warn', 'session not refreshed', {
      session: session.id,
      reason: 'Its refresh token was sealed with another key.',
    });
    return 'failed';
  }
  try {
    const { claims, refreshToken } = await fetchAgain(deps, session, token);
    return await apply(deps, session, claims, refreshToken);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
      return endSession(deps, session, 'The provider no longer allows it.');
    if (error instanceof OtherPerson) return endSession(deps, session, 'The provider named another person.');
    log('warn', 'session not refreshed', { session: session.id, reason: toPrintable(reasonOf(error)) });
    return isAway(error) ? 'away' : 'failed';
  }
}

async function fetchAgain(
  { settings, provider, refreshTokens, book }: RefreshDeps,
  session: Refreshable,
  token: string,
): Promise<{ readonly claims: Claims; readonly refreshToken: string }> {
  const configuration = await provider.configuration();
  const tokens = await refreshTokenGrant(configuration, token);
  const refreshToken =
    tokens.refresh_token === undefined
      ? session.provider.refreshToken
      : refreshTokens.seal(tokens.refresh_token, session.person);
  // The previous token may be used up, so the new one is stored even if reading the user info then fails.
  if (refreshToken !== session.provider.refreshToken)
    await putSession(book, { ...session, provider: { ...session.provider, refreshToken } });
  return { claims: await readClaims(configuration, settings, tokens, session.person), refreshToken };
}

async function apply(
  deps: RefreshDeps,
  session: Refreshable,
  { name, groups, sid }: Claims,
  refreshToken: string,
): Promise<Result> {
  const { book, audit, now } = deps;
  const granted = deps.groups.entitlementOf(groups);
  if (granted.roles.length === 0)
    return endSession(deps, session, 'None of the groups of the person has a role any more.');
  const refreshed: Refreshable = {
    ...session,
    name,
    granted,
    provider: { ...session.provider, sid: sid ?? session.provider.sid, refreshToken, confirmedAt: now() },
  };
  await putSession(book, refreshed);
  if (JSON.stringify([name, granted]) === JSON.stringify([session.name, session.granted])) return 'confirmed';
  await audit.record({
    kind: 'person changed',
    who: session.person,
    name,
    address: session.address,
    detail: `The provider changed their roles to ${granted.roles.join(', ')}, or their accounts or name.`,
  });
  return 'changed';
}

/** Keeps what was changed or ended in the meantime. */
async function putSession(
  book: Pick<AccessRegistry, 'change'>,
  { id, person, name, granted, provider }: Refreshable,
): Promise<void> {
  await book.change((state) => {
    const current = state.sessions.get(id);
    if (current === undefined) return [{}, undefined];
    const provided = toProvided(state, 'oidc', { person, name, granted }, provider.confirmedAt, false);
    return [{ put: { sessions: [{ ...current, name, granted, provider }], provided: [provided] } }, undefined];
  });
}

async function endSession(
  { book, audit, log }: RefreshDeps,
  { id, person, name, address }: Refreshable,
  detail: string,
): Promise<'ended'> {
  await book.change(() => [{ drop: { sessions: [id] } }, undefined]);
  await audit.record({ kind: 'session ended', who: person, name, address, detail });
  log('info', 'session ended', { session: id, reason: detail });
  return 'ended';
}
