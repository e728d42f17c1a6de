import { KeyCaps } from '#ui/keys/key-caps.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { useAddress } from '#ui/navigation/navigation.tsx';
import { Alerts } from './alerts/alerts.tsx';
import { ConnectionIndicator } from './connection-indicator.tsx';
import type { AppDialog } from './app-dialogs.tsx';
import { matchScreen, SCREENS } from './screens.ts';
import styles from './header.module.css';

export function Header({ open }: { readonly open: (dialog: AppDialog) => void }) {
  const current = matchScreen(useAddress().path)?.screen.name;
  return (
    <header className={styles['header']}>
      <Link className={styles['name']} to="/">
        Perpdesk
      </Link>
      <nav className={styles['screens']} aria-label="Screens">
        {SCREENS.map((screen) => (
          <Link key={screen.name} to={screen.home} aria-current={screen.name === current ? 'page' : undefined}>
            {screen.name}
          </Link>
        ))}
      </nav>
      <button
        type="button"
        className={styles['search']}
        aria-keyshortcuts="Control+K"
        onClick={() => {
          open('command-palette');
        }}
      >
        <span>Search…</span> <KeyCaps keys="Mod+k" />
      </button>
      <Alerts />
      <ConnectionIndicator />
      <button
        type="button"
        className={styles['preferences']}
        onClick={() => {
          open('preferences');
        }}
      >
        Preferences
      </button>
    </header>
  );
}
