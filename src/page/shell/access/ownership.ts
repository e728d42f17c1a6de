import { attempt } from '#page/kit/stored-value.ts';
import { withPersonal } from '../saved/local-items.ts';

const PREFIX = 'perpdesk.';
const OWNER = `${PREFIX}person`;
/** Some of them are of this browser, whoever uses it. */
const PREFERENCES = `${PREFIX}preferences`;

export interface Ownership {
  /**
   * What this browser stores, such as views with the codes of accounts, is this person's from now on. Where it was another's,
   * it is deleted, and the page loads anew: true.
   */
  readonly take: (person: string, page: { readonly hasShown: boolean }) => boolean;
}

export function createOwnership({
  localStorage,
  sessionStorage,
  location,
}: Pick<Window, 'localStorage' | 'sessionStorage' | 'location'>): Ownership {
  return {
    take: (person, { hasShown }) => {
      // Each tab has a storage of its own, which another tab cannot delete.
      const areas = [localStorage, sessionStorage];
      const isOthers = areas.some((area) => ![person, null].includes(attempt(() => area.getItem(OWNER))));
      for (const area of areas) {
        attempt(() => {
          if (isOthers) deleteAll(area);
          area.setItem(OWNER, person);
        });
      }
      // The address of a screen may contain what only the other may know.
      if (isOthers) location.replace(hasShown ? '/' : location.pathname + location.search);
      return isOthers;
    },
  };
}

function deleteAll(area: Storage): void {
  for (const key of Object.keys(area)) if (key.startsWith(PREFIX)) deleteOne(area, key);
}

function deleteOne(area: Storage, key: string): void {
  const kept = key === PREFERENCES ? withPersonal(area.getItem(key), '') : '';
  if (kept === '') area.removeItem(key);
  else area.setItem(key, kept);
}
