import { useState } from 'react';
import { Header } from './header.tsx';
import { AppDialogs, type AppDialog } from './app-dialogs.tsx';
import { Outage } from './outage/outage.tsx';
import { ScreenOutlet } from './screen-outlet.tsx';
import { useGlobalShortcuts } from './use-global-shortcuts.ts';
import styles from './shell.module.css';

/** The header, the current screen, and below it the bar of an outage, which so moves nothing under the pointer. A screen that crashes leaves the header usable. */
export function Shell() {
  const [dialog, setDialog] = useState<AppDialog | null>(null);
  useGlobalShortcuts(setDialog);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <Header open={setDialog} />
      <ScreenOutlet />
      <Outage />
      {dialog !== null && (
        <AppDialogs
          dialog={dialog}
          open={setDialog}
          close={() => {
            setDialog(null);
          }}
        />
      )}
    </div>
  );
}
