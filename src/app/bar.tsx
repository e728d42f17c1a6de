import { KeyCaps } from '#ui/keys/key-caps.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { useAddress } from '#ui/navigation/navigation.tsx';
import { Connection } from './connection.tsx';
import type { Overlay } from './overlays.tsx';
import { findScreen, SCREENS } from './screens.ts';
import styles from './bar.module.css';

export function Bar({ open }: { readonly open: (overlay: Overlay) => void }) {
  const here = findScreen(useAddress().path)?.screen.name;
  return (
    <header className={styles['bar']}>
      <Link className={styles['name']} to="/">
        Perpdesk
      </Link>
      <nav className={styles['screens']} aria-label="Screens">
        {SCREENS.map((screen) => (
          <Link key={screen.name} to={screen.home} aria-current={screen.name === here ? 'page' : undefined}>
            {screen.name}
          </Link>
        ))}
      </nav>
      <button
        type="button"
        className={styles['find']}
        aria-keyshortcuts="Control+K"
        onClick={() => {
          open('palette');
        }}
      >
        <span>Product, screen …</span> <KeyCaps keys="Mod+k" />
      </button>
      <Connection />
      <button
        type="button"
        className={styles['settings']}
        onClick={() => {
          open('settings');
        }}
      >
        Preferences
      </button>
    </header>
  );
}
