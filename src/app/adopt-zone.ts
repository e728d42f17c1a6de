import { parseAddress, type Navigator } from '#ui/navigation/navigator.ts';
import type { PreferenceStore } from '#ui/preferences/preference-store.ts';
import { USUAL } from '#ui/preferences/preferences.ts';
import { ZONE_PARAMETER } from '#ui/preferences/use-preferences.tsx';

/**
 * The zone that the reader prefers goes into every address that names none, those of older entries of the history too, so
 * that a link to what is seen shows the same.
 */
export function adoptZone(preferences: Pick<PreferenceStore, 'read'>, navigator: Navigator): void {
  const adopt = (): void => {
    const { zone } = preferences.read();
    const address = navigator.read();
    if (zone === USUAL.zone || parseAddress(address).query.has(ZONE_PARAMETER)) return;
    const target = new URL(address, 'http://page');
    target.searchParams.set(ZONE_PARAMETER, zone);
    navigator.go(target.pathname + target.search + target.hash, 'replace');
  };
  adopt();
  navigator.subscribe(adopt);
}
