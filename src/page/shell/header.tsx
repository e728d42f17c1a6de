import { useAccess } from '#page/client/react/use-access.ts';
import { may } from '#page/client/access.ts';
import { KeyCaps } from '#page/kit/keys/key-caps.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useAddress } from '#page/kit/navigation/navigation.tsx';
import { Alerts } from './alerts/alerts.tsx';
import { ConnectionIndicator } from './connection-indicator.tsx';
import type { AppDialog } from './app-dialogs.tsx';
import { AccountMenu } from './access/lazy-parts.ts';
import { matchScreen, toUsable } from './shared/screens.ts';
import styles from './header.module.css';

export function Header({ open }: { readonly open: (dialog: AppDialog) => void }) {
  const desk = useAccess();
  const screen = matchScreen(useAddress().path)?.screen;
  const current = screen?.within ?? screen?.name;
  return (
    <header className={styles['header']} data-people={desk !== null}>
      <Link className={styles['name']} to="/">
        Perpdesk
      </Link>
      <nav className={styles['screens']} aria-label="Screens">
        {toUsable(desk)
          .filter(({ within }) => within === undefined)
          .map(({ name, home }) => (
            <Link key={name} to={home} aria-current={name === current ? 'page' : undefined}>
              {name}
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
      {may(desk, 'operations') ? <Alerts /> : <span />}
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
      {desk !== null && (
        <span>
          <AccountMenu />
        </span>
      )}
    </header>
  );
}
