import { readFileSync } from 'node:fs';
import { joinGroups, parseGroupRoles } from '#server/core/provider-settings.ts';
import type { Log, Schedule } from '#server/core/ports.ts';
import { watchFiles } from '#server/core/watch-files.ts';
import { toEntitlement, type Entitlement } from './entitlement.ts';

/** What the groups of a provider or proxy may do here. */
export interface Groups {
  readonly entitlementOf: (names: readonly string[]) => Entitlement;
  readonly close: () => void;
}

/** Reloads the file when it changes. After a mistake, the previous groups stay in effect. */
export function openGroups(
  path: string,
  { schedule, log }: { readonly schedule: Schedule; readonly log: Log },
  onChange: () => void,
): Groups {
  let groups = mustParse(path);
  const close = watchFiles(
    () => [path],
    schedule,
    () => {
      try {
        groups = mustParse(path);
      } catch (error) {
        log('error', 'groups not loaded', {
          reason: `${error instanceof Error ? error.message : String(error)} The previous groups remain in effect.`,
        });
        return;
      }
      log('info', 'groups loaded', { file: path });
      onChange();
    },
  );
  return {
    entitlementOf: (names) => {
      const { roles, scope } = joinGroups(groups, names);
      return toEntitlement(roles, scope);
    },
    close: () => void close(),
  };
}

function mustParse(path: string) {
  const groups = parseGroupRoles(readFileSync(path, 'utf8'));
  if ('problem' in groups) throw new Error(`DESK_GROUPS is "${path}", which ${groups.problem}.`);
  return groups;
}
