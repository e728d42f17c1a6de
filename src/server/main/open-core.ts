import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { toMountPrefix } from '#contract/exchange/addresses.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import { createSealedCursors } from '#server/core/sealed-texts.ts';
import { createChanges } from '#server/core/topics.ts';
import { offerLinkKey, openLinkKey } from '#server/ops/process/link-key.ts';
import { toBudgetText } from '#server/ops/process/server-settings.ts';
import { readVersion } from '#server/ops/process/version.ts';
import { createLeaderStore } from '#server/store/leader-store.ts';
import { createLease } from '#server/store/lease.ts';
import { type Members, openMembers } from '#server/store/members.ts';
import { migrations } from '#server/store/open-store.ts';
import { openSharedFiles } from '#server/store/shared-files.ts';
import type { Store } from '#server/store/store.ts';
import { type AppFiles, hashedFilesOf } from '#server/web/app-files.ts';
import { createSender } from '#server/web/send-response.ts';
import { type ServerConfig, toIds, WITHOUT_PEOPLE } from './server-config.ts';

export type Core = Awaited<ReturnType<typeof openCore>>;

/** What every module needs. */
export async function openCore(config: ServerConfig, ports: ServerPorts, store: Store) {
  const { profile } = config;
  const members = await joinMembers(config, ports, store);
  const { secret: key, earlierSecrets: earlierKeys } = members;
  const lease = createLease({ ...ports, store, name: 'leader', holder: members.own.id });
  const app: AppFiles = config.app ?? new Map();
  return {
    ...ports,
    store,
    members,
    desk: members.own.id,
    version: members.own.version,
    isAlone: () => members.alive().length === 1,
    lease,
    leaderStore: createLeaderStore(store, lease),
    app,
    sharedFiles: await openSharedFiles(hashedFilesOf(app), { ...ports, store }),
    profile,
    scope: toIds(config).scope,
    key,
    earlierKeys,
    changes: createChanges(),
    cursors: createSealedCursors(key, earlierKeys),
    // A number would say how many requests others have sent meanwhile.
    nextRequestId: randomUUID,
    send: createSender(),
  };
}

/** Joins the other desks on the store, if it can have any. */
function joinMembers(config: ServerConfig, ports: ServerPorts, store: Store): Promise<Members> {
  const { profile, dataDir, credential, budget, access = WITHOUT_PEOPLE, secrets = [], name } = config;
  const { venueId } = toIds(config);
  return openMembers(
    {
      id: randomUUID(),
      name: name ?? hostname(),
      version: readVersion(),
      schema: migrations.length,
      common: {
        'DESK_VENUE or DESK_VENUE_URL': venueId,
        'DESK_VENUE_ENV': [toMountPrefix(profile, 'funding'), toMountPrefix(profile, 'orders')].join(' '),
        'DESK_CONNECTION_ID': credential?.connectionId ?? '',
        'DESK_BUDGET': toBudgetText(budget),
        'DESK_ACCESS': access.mode,
      },
      given: secrets,
      offer: () => (store.isShared ? offerLinkKey(dataDir) : openLinkKey(dataDir)),
    },
    { ...ports, store },
  );
}
