import { Dialog } from '#ui/dialog.tsx';
import { usePreferences, usePreferenceStore, useZone } from '#ui/preferences/use-preferences.tsx';
import { Segmented } from '#ui/segmented.tsx';
import styles from './settings.module.css';

const THEMES = [['system', 'As the system'], ['light', 'Light'], ['dark', 'Dark']] as const;
const PALETTES = [['green-red', 'Green, red'], ['red-green', 'Red, green'], ['blue-orange', 'Blue, orange'], ['mono', 'No colour']] as const;
const ZONES = [['utc', 'UTC'], ['local', 'Local'], ['chicago', 'Chicago']] as const;
const DENSITIES = [['regular', 'Regular'], ['compact', 'Compact']] as const;
const SINGLE_KEYS = [['on', 'On'], ['off', 'Off']] as const;

interface SettingsProps {
  readonly close: () => void;
  readonly showKeys: () => void;
}

/** How this reader wants the screens. Everything holds at once; there is nothing to save. */
export function Settings({ close, showKeys }: SettingsProps) {
  const { theme, palette, density, singleKeys } = usePreferences();
  const { set, reset } = usePreferenceStore();
  const [zone, setZone] = useZone();
  const resetAll = (): void => {
    setZone('utc');
    reset();
  };
  return (
    <Dialog title="Preferences" close={close}>
      <div className={styles['settings']}>
        <Segmented label="Theme" labelShown choices={THEMES} value={theme} onChange={(next) => { set({ theme: next }); }} />
        <Segmented label="Up and down" labelShown choices={PALETTES} value={palette} onChange={(next) => { set({ palette: next }); }} />
        <p className={styles['sample']}>
          <span className={styles['up']}>▲ +1.25 %</span> <span className={styles['down']}>▼ −0.80 %</span>
        </p>
        <Segmented label="Times are in" labelShown choices={ZONES} value={zone} onChange={setZone} />
        <Segmented label="Rows" labelShown choices={DENSITIES} value={density} onChange={(next) => { set({ density: next }); }} />
        <Segmented label="Keys without Ctrl" labelShown choices={SINGLE_KEYS} value={singleKeys} onChange={(next) => { set({ singleKeys: next }); }} />
        <button type="button" onClick={showKeys}>
          Show all keys
        </button>
        <p className={styles['remark']}>Kept in this browser only. The zone is in the address too, so that a link shows the same times.</p>
        <button type="button" onClick={resetAll}>
          Reset all
        </button>
      </div>
    </Dialog>
  );
}
