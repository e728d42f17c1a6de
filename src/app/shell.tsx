import { useState } from 'react';
import { Bar } from './bar.tsx';
import { Overlays, type Overlay } from './overlays.tsx';
import { ScreenOutlet } from './screen-outlet.tsx';
import { useShellKeys } from './use-shell-keys.ts';
import styles from './shell.module.css';

/** What stays while screens change: the bar, and the room below it. A screen that breaks takes only itself along. */
export function Shell() {
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  useShellKeys(setOverlay);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        Skip to the data
      </a>
      <Bar open={setOverlay} />
      <ScreenOutlet />
      {overlay !== null && (
        <Overlays
          overlay={overlay}
          open={setOverlay}
          close={() => {
            setOverlay(null);
          }}
        />
      )}
    </div>
  );
}
