import { useState } from 'react';
import styles from '#page/kit/field.module.css';
import type { Preferences } from '#page/kit/preferences.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import { usePreferences, usePreferenceStore } from '#page/kit/use-preferences.tsx';
import { playAlert } from './sounds.ts';

const ON_OFF = [
  ['on', 'On'],
  ['off', 'Off'],
] as const;
const SOUNDS = [
  ['off', 'Off'],
  ['chime', 'Chime'],
  ['bell', 'Bell'],
  ['pulse', 'Pulse'],
] as const;
const VOLUMES = [
  ['quiet', 'Quiet'],
  ['medium', 'Medium'],
  ['loud', 'Loud'],
] as const;

/** Chooses how this browser draws attention to a new alert. */
export function AlertPreferences() {
  const { alertSound, alertVolume, alertNotifications } = usePreferences();
  const { set } = usePreferenceStore();
  // Permission that was granted earlier may have been revoked since.
  const [rejection, setRejection] = useState(() => (alertNotifications === 'on' ? findRejection() : null));
  const play = (change: Partial<Pick<Preferences, 'alertSound' | 'alertVolume'>>): void => {
    const { sound, volume } = { sound: change.alertSound ?? alertSound, volume: change.alertVolume ?? alertVolume };
    set(change);
    if (sound !== 'off') playAlert(new AudioContext(), sound, volume);
  };
  const setNotifications = async (next: Preferences['alertNotifications']): Promise<void> => {
    const found = next === 'on' ? await askPermission() : null;
    setRejection(found);
    set({ alertNotifications: found === null ? next : 'off' });
  };
  return (
    <>
      <Segmented
        label="Sound when an alert begins"
        labelShown
        choices={SOUNDS}
        value={alertSound}
        onChange={(next) => {
          play({ alertSound: next });
        }}
      />
      {alertSound !== 'off' && (
        <Segmented
          label="Volume of alerts"
          labelShown
          choices={VOLUMES}
          value={alertVolume}
          onChange={(next) => {
            play({ alertVolume: next });
          }}
        />
      )}
      <Segmented
        label="Notifications of alerts while this page is hidden"
        labelShown
        choices={ON_OFF}
        value={alertNotifications}
        onChange={(next) => void setNotifications(next)}
      />
      {rejection !== null && <p className={styles['hint']}>{rejection}</p>}
    </>
  );
}

/** Requests permission, which browsers allow only in response to a click, and returns why it was denied, if it was. */
async function askPermission(): Promise<string | null> {
  if ('Notification' in globalThis) await Notification.requestPermission();
  return findRejection();
}

/** Returns why notifications are impossible, or null if the browser allows them. */
function findRejection(): string | null {
  if (!('Notification' in globalThis)) return 'This browser offers notifications only over https or on this machine.';
  return Notification.permission === 'granted'
    ? null
    : 'This browser blocks notifications from Perpdesk: allow them in its settings for this page.';
}
