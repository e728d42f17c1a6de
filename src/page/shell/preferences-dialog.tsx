import type { Preferences } from '#page/kit/preferences.ts';
import { usePreferences, usePreferenceStore, useZone } from '#page/kit/use-preferences.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { AlertPreferences } from '#page/panels/alert-preferences.tsx';
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
