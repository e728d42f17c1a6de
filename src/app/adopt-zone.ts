import { parseAddress, type Navigator } from '#ui/navigation/navigator.ts';
import type { PreferenceStore } from '#ui/preferences/preference-store.ts';
import { USUAL } from '#ui/preferences/preferences.ts';
import { ZONE_PARAMETER } from '#ui/preferences/use-preferences.tsx';

/** The zone that the reader prefers goes into an address that names none, so that a link to what is seen shows the same. */
export function adoptZone({ read }: PreferenceStore, { read: readAddress, go }: Navigator): void {
  const { zone } = read();
  const address = readAddress();
  if (zone === USUAL.zone || parseAddress(address).query.has(ZONE_PARAMETER)) return;
  const target = new URL(address, 'http://page');
  target.searchParams.set(ZONE_PARAMETER, zone);
  go(target.pathname + target.search + target.hash, 'replace');
}
