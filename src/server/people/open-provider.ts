import type { GatewayPorts } from '#server/core/ports.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import type { Identify, Viewer } from '#server/core/viewer.ts';
import type { AccessBook } from './accounts/access-book.ts';
import { createAttempts } from './accounts/attempts.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Entitlement } from './accounts/entitlement.ts';
import { openGroups } from './accounts/groups.ts';
import { createBackChannelLogout, type BackChannelLogout } from './oidc/back-channel.ts';
import { createProvider } from './oidc/provider.ts';
import { createSessionRefresh, type SessionRefresh } from './oidc/refresh-sessions.ts';
import { createOidcSignIn, type OidcAttempt, type OidcSignIn } from './oidc/sign-in-oidc.ts';
import { createProxyIdentify } from './proxy/identify-proxy.ts';
import { createProvidedViewers } from './proxy/provided-viewers.ts';
import { createHeaderReader, createTokenReader, type ReadVouched } from './proxy/read-vouched.ts';
import { openTokenKeys } from './proxy/token-keys.ts';
import type { ProvidedPeople } from './accounts/provided-people.ts';
import type { AddressOf, OriginOf } from './accounts/requesting.ts';
import type { Sessions } from './accounts/sessions.ts';
import type { Identity, Viewers } from './accounts/viewers.ts';

interface ProviderParts extends Pick<GatewayPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  readonly key: string;
  readonly book: AccessBook;
  readonly holdsLease: () => boolean;
  readonly sessions: Sessions;
  readonly people: Pick<ProvidedPeople, 'find' | 'note'>;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  /** Where people open the desk. */
  readonly homeOf: OriginOf;
  readonly addressOf: AddressOf;
}

/** What an OpenID provider and those whom it sends here need. */
export interface OidcRoom extends OidcSignIn {
  readonly logout: BackChannelLogout;
  readonly refreshes: SessionRefresh['counts'];
}

/** Who says who people are, in place of the desk. */
export interface ProviderRoom {
  /** Null: sessions and tokens do. */
  readonly identify: Identify | null;
  readonly identityOf: (viewer: Viewer) => Identity | null;
  readonly sweep: () => void;
  readonly oidc: OidcRoom | null;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export function openProvider({ source, groupsFile }: ProviderSettings, parts: ProviderParts): ProviderRoom {
  return source.kind === 'oidc' ? openOidc(source, groupsFile, parts) : openProxy(source, groupsFile, parts);
}

type Source<Kind> = Extract<ProviderSettings['source'], { readonly kind: Kind }>;

function openOidc(settings: Source<'oidc'>, groupsFile: string, parts: ProviderParts): ProviderRoom {
  // Sessions keep what they were granted, which is decided again at each refresh.
  const groups = openGroups(groupsFile, parts, () => undefined);
  const shared = {
    ...parts,
    settings,
    groups,
    provider: createProvider(settings, parts),
    refreshTokens: createSealedTexts(parts.key, 'refresh token'),
  };
  const refresh = createSessionRefresh(shared);
  return {
    identify: null,
    identityOf: () => null,
    sweep: () => undefined,
    oidc: {
      ...createOidcSignIn({ ...shared, attempts: createAttempts<OidcAttempt>(parts.key, parts.now) }),
      logout: createBackChannelLogout(shared),
      refreshes: refresh.counts,
    },
    start: refresh.start,
    close: async () => {
      groups.close();
      await refresh.close();
    },
  };
}

function openProxy(settings: Source<'headers' | 'tokens'>, groupsFile: string, parts: ProviderParts): ProviderRoom {
  const { key, book, people, audit, now } = parts;
  const groups = openGroups(groupsFile, parts, () => {
    viewers.sweep();
  });
  const viewers = createProvidedViewers({
    key,
    entitlementOf: groups.entitlementOf,
    onSeen: ({ id, name }, granted, address, isFirst) => {
      if (isFirst) audit.gather({ kind: 'sign-in', who: id, name, address, detail: 'Signed in at the proxy.' });
      // A store that cannot be written has been reported as such.
      if (isFirst || !isGranted(people.find(id), granted))
        void people.note({ person: id, name, granted }, isFirst).catch(() => undefined);
    },
    isRecorded: (id) => people.find(id) !== undefined,
    now,
  });
  book.onChange(viewers.sweep);
  const { read, close } = openReader(settings, parts, viewers.endAll);
  return {
    identify: createProxyIdentify({ ...parts, read, viewers }),
    identityOf: viewers.identityOf,
    sweep: viewers.sweep,
    oidc: null,
    start: () => undefined,
    close: () => {
      groups.close();
      close();
      return Promise.resolve();
    },
  };
}

function isGranted(known: Entitlement | undefined, { roles, scope }: Entitlement): boolean {
  return known !== undefined && JSON.stringify([known.roles, known.scope]) === JSON.stringify([roles, scope]);
}

function openReader(
  settings: Source<'headers' | 'tokens'>,
  parts: ProviderParts,
  endAll: () => void,
): { readonly read: ReadVouched; readonly close: () => void } {
  if (settings.kind === 'headers') return { read: createHeaderReader(settings), close: () => undefined };
  const keys = openTokenKeys(settings.keys, parts);
  // Streams that an earlier key opened are opened anew, if the token still holds.
  keys.onChange(endAll);
  return { read: createTokenReader(settings, keys, parts.now), close: keys.close };
}
