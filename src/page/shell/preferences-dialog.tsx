import { useState } from 'react';
import type { Preferences } from '#page/kit/preferences.ts';
import { usePreferences, usePreferenceStore, useZone } from '#page/kit/use-preferences.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { playAlert } from './notices/sounds.ts';
import styles from './preferences-dialog.module.css';
import { Dialog } from '#page/kit/dialog.tsx';
import { playSample } from './notices/outage-sound.ts';

const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
const PALETTES = [
  ['green-red', 'Green / red'],
  ['red-green', 'Red / green'],
  ['blue-orange', 'Blue / orange'],
  ['mono', 'Monochrome'],
] as const;
const ZONES = [
  ['utc', 'UTC'],
  ['local', 'Local'],
  ['chicago', 'Chicago'],
] as const;
const DENSITIES = [
  ['regular', 'Regular'],
  ['compact', 'Compact'],
] as const;
const ON_OFF = [
  ['on', 'On'],
  ['off', 'Off'],
] as const;
const GONE_ORDERS = [
  ['15', '15 s'],
  ['60', '1 min'],
  ['300', '5 min'],
  ['seen', 'Until marked as seen'],
] as const;

interface PreferencesDialogProps {
  readonly close: () => void;
  readonly showShortcuts: () => void;
}

/** Edits the preferences. Each change applies at once, so there is nothing to save. */
export function PreferencesDialog({ close, showShortcuts }: PreferencesDialogProps) {
  const { theme, palette, density, singleKeys, goneOrders, hoverSources, outageSound } = usePreferences();
  const { set, reset } = usePreferenceStore();
  const [zone, setZone] = useZone();
  const resetAll = (): void => {
    setZone('utc');
    reset();
  };
  const setSound = (next: Preferences['outageSound']): void => {
    set({ outageSound: next });
    if (next === 'on') playSample();
  };
  return (
    <Dialog title="Preferences" close={close}>
      <div className={styles['preferences']}>
        <Segmented
          label="Theme"
          labelShown
          choices={THEMES}
          value={theme}
          onChange={(next) => {
            set({ theme: next });
          }}
        />
        <Segmented
          label="Price colours"
          labelShown
          choices={PALETTES}
          value={palette}
          onChange={(next) => {
            set({ palette: next });
          }}
        />
        <p className={styles['sample']}>
          <span className={styles['up']}>▲ +1.25 %</span> <span className={styles['down']}>▼ −0.80 %</span>
        </p>
        <Segmented label="Time zone" labelShown choices={ZONES} value={zone} onChange={setZone} />
        <Segmented
          label="Row density"
          labelShown
          choices={DENSITIES}
          value={density}
          onChange={(next) => {
            set({ density: next });
          }}
        />
        <Segmented
          label="Single-key shortcuts"
          labelShown
          choices={ON_OFF}
          value={singleKeys}
          onChange={(next) => {
            set({ singleKeys: next });
          }}
        />
        <Segmented
          label="Keep orders that are no longer working"
          labelShown
          choices={GONE_ORDERS}
          value={goneOrders}
          onChange={(next) => {
            set({ goneOrders: next });
          }}
        />
        <Segmented
          label="Show provenance on hover"
          labelShown
          choices={ON_OFF}
          value={hoverSources}
          onChange={(next) => {
            set({ hoverSources: next });
          }}
        />
        <Segmented
          label="Sound when an outage starts and ends"
          labelShown
          choices={ON_OFF}
          value={outageSound}
          onChange={setSound}
        />
        {outageSound === 'on' && (
          <p className={styles['hint']}>
            Browsers allow sound only after you have clicked or typed in a page, so click once after loading it.
          </p>
        )}
        <AlertPreferences />
        <button type="button" onClick={showShortcuts}>
          Keyboard shortcuts
        </button>
        <p className={styles['hint']}>
          Theme, sounds and notifications are saved in this browser only; everything else is the same in all of your
          browsers. The time zone is also part of the address, so that a shared link shows the same times.
        </p>
        <button type="button" onClick={resetAll}>
          Reset to defaults
        </button>
      </div>
    </Dialog>
  );
}

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
