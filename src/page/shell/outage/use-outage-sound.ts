import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { OutageKind } from '#page/client/outage.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { usePreferences } from '#page/kit/preferences/use-preferences.tsx';
import type { OutageSound } from './outage-sound.ts';

/** A sound at the start and at the end of an outage, where the user wants it. Spent requests come back by themselves, in minutes. */
export function useOutageSound(kind: OutageKind | null): void {
  const isOn = usePreferences().outageSound === 'on';
  const isOut = kind !== null && kind !== 'rate-limited';
  const sound = useSound(isOn);
  const before = useRef(isOut);
  useWatchInBackground(isOn);
  useEffect(() => {
    if (before.current === isOut) return;
    before.current = isOut;
    void sound.current?.play(isOut ? 'start' : 'end');
  }, [isOut, sound]);
}

/** Null while it is off, or not loaded yet. */
function useSound(isOn: boolean) {
  const sound = useRef<OutageSound | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    let isWanted = true;
    import('./outage-sound.ts').then(
      ({ createOutageSound }) => {
        if (isWanted) sound.current = createOutageSound();
      },
      // Without it the bar and the title remain.
      () => undefined,
    );
    return () => {
      isWanted = false;
      sound.current?.dispose();
      sound.current = null;
    };
  }, [isOn]);
  return sound;
}

/** A sound is for those who look elsewhere: Perpdesk’s status is read while the tab is hidden, too. */
function useWatchInBackground(enabled: boolean): void {
  const { queries } = useApi();
  useQuery({ ...queries.desk.status({}), enabled, refetchIntervalInBackground: true });
}
