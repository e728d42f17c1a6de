import { createKeptValue, type Frame, type KeptValue } from '../kept-value.ts';
import { formatPreferences, parsePreferences, type Preferences } from './preferences.ts';

export interface PreferenceStore extends Pick<KeptValue<Preferences>, 'read' | 'subscribe'> {
  readonly set: (change: Partial<Preferences>) => void;
  readonly reset: () => void;
}

export function createPreferenceStore(frame: Frame): PreferenceStore {
  const { read, subscribe, write, forget } = createKeptValue(frame, 'perpdesk.preferences', { parse: parsePreferences, format: formatPreferences });
  return {
    read,
    subscribe,
    set: (change) => {
      write({ ...read(), ...change });
    },
    reset: forget,
  };
}
