import { useState } from 'react';
import type { Preferences } from '#page/kit/preferences/preferences.ts';
import { usePreferences, usePreferenceStore } from '#page/kit/preferences/use-preferences.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { playAlert } from './alert-sound.ts';
import styles from '../shared/preferences-dialog.module.css';

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
const ON_OFF = [
  ['on', 'On'],
  ['off', 'Off'],
] as const;

/** How this browser calls when an alert begins. */
export function AlertPreferences() {
  const { alertSound, alertVolume, alertNotifications } = usePreferences();
  const { set } = usePreferenceStore();
  // Allowed once, it may be blocked since.
  const [refusal, setRefusal] = useState(() => (alertNotifications === 'on' ? findRefusal() : null));
  const play = (change: Partial<Pick<Preferences, 'alertSound' | 'alertVolume'>>): void => {
    const { sound, volume } = { sound: change.alertSound ?? alertSound, volume: change.alertVolume ?? alertVolume };
    set(change);
    if (sound !== 'off') playAlert(new AudioContext(), sound, volume);
  };
  const setNotifications = async (next: Preferences['alertNotifications']): Promise<void> => {
    const found = next === 'on' ? await askPermission() : null;
    setRefusal(found);
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
      {refusal !== null && <p className={styles['hint']}>{refusal}</p>}
    </>
  );
}

/** It asks once, after this click. */
async function askPermission(): Promise<string | null> {
  if ('Notification' in globalThis) await Notification.requestPermission();
  return findRefusal();
}

/** Why there can be none; null if the browser allows them. */
function findRefusal(): string | null {
  if (!('Notification' in globalThis)) return 'This browser offers notifications only over https or on this machine.';
  return Notification.permission === 'granted'
    ? null
    : 'This browser blocks notifications from Perpdesk: allow them in its settings for this page.';
}
