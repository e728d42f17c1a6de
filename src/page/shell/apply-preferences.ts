import { parseAddress, type Navigator } from '#page/kit/navigation/navigator.ts';
import { DEFAULT_PREFERENCES, type PreferenceStore } from '#page/kit/preferences/preferences.ts';
import { ZONE_PARAMETER } from '#page/kit/preferences/use-preferences.tsx';

/** Sets theme, colours and density on the root element, before anything is drawn, so that nothing flashes. */
export function applyAppearance({ read, subscribe }: PreferenceStore, root: HTMLElement): void {
  const apply = (): void => {
    const { theme, palette, density } = read();
    Object.assign(root.dataset, { theme, palette, density });
  };
  apply();
  subscribe(apply);
}

/** Adds the preferred time zone to every address without one, older history entries included, so that a shared link shows the same times. */
export function syncZoneParameter(preferences: Pick<PreferenceStore, 'read'>, navigator: Navigator): void {
  const addZone = (): void => {
    const { zone } = preferences.read();
    const address = navigator.read();
    if (zone === DEFAULT_PREFERENCES.zone || parseAddress(address).query.has(ZONE_PARAMETER)) return;
    const target = new URL(address, 'http://page');
    target.searchParams.set(ZONE_PARAMETER, zone);
    navigator.go(target.pathname + target.search + target.hash, 'replace');
  };
  addZone();
  navigator.subscribe(addZone);
}
