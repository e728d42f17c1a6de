import { createContext, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useUrlState } from '../navigation/navigation.tsx';
import { choiceParam } from '../navigation/url-param.ts';
import { useProvided } from '../use-provided.ts';
import type { PreferenceStore } from './preference-store.ts';
import { CHOICES, type Preferences, type Zone } from './preferences.ts';

const StoreContext = createContext<PreferenceStore | null>(null);

export function PreferencesProvider({ store, children }: { readonly store: PreferenceStore; readonly children: ReactNode }) {
  return <StoreContext value={store}>{children}</StoreContext>;
}

export function usePreferenceStore(): PreferenceStore {
  return useProvided(StoreContext, 'preferences');
}

export function usePreferences(): Preferences {
  const { subscribe, read } = usePreferenceStore();
  return useSyncExternalStore(subscribe, read);
}

/** Whether letters and signs pressed alone are keys. */
export function useSingleKeys(): boolean {
  return usePreferences().singleKeys === 'on';
}

/** The one preference that changes what a link shows, so it is in the address too. */
export const ZONE_PARAMETER = 'zone';
const zoneParam = choiceParam(ZONE_PARAMETER, CHOICES.zone, 'utc');

/** In which zone times are told: the address says. To set it is to prefer it from now on. */
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
