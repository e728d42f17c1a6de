import { createContext, type ReactNode, useSyncExternalStore } from 'react';
import { useUrlState } from './navigation.tsx';
import { choiceParam } from '#model/format/url-param.ts';
import { useMedia } from './use-media.ts';
import { useRequiredContext } from './use-required-context.ts';
import type { Zone } from '#model/format/format-time.ts';
import { CHOICES, type PreferenceStore, type Preferences } from './preferences.ts';

const StoreContext = createContext<PreferenceStore | null>(null);

export function PreferencesProvider({
  store,
  children,
}: {
  readonly store: PreferenceStore;
  readonly children: ReactNode;
}) {
  return <StoreContext value={store}>{children}</StoreContext>;
}

export function usePreferenceStore(): PreferenceStore {
  return useRequiredContext(StoreContext, 'preferences');
}

export function usePreferences(): Preferences {
  const { subscribe, read } = usePreferenceStore();
  return useSyncExternalStore(subscribe, read);
}

/** Returns a text that changes whenever the colours of the page do. */
export function useColourKey(): string {
  const { theme, palette } = usePreferences();
  return `${theme} ${palette} ${useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light'}`;
}

/** Whether keys without Ctrl or Cmd are shortcuts. */
export function useSingleKeys(): boolean {
  return usePreferences().singleKeys === 'on';
}

/** The address names the zone too, because it changes what a link shows. */
export const ZONE_PARAMETER = 'zone';
const zoneParam = choiceParam(ZONE_PARAMETER, CHOICES.zone, 'utc');

/** Returns the time zone of the address. Setting it also stores it as the preference. */
export function useZone(): readonly [zone: Zone, set: (zone: Zone) => void] {
  const store = usePreferenceStore();
  const [zone, setInAddress] = useUrlState(zoneParam);
  return [
    zone,
    (next) => {
      store.set({ zone: next });
      setInAddress(next);
    },
  ];
}
