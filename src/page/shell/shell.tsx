import { useEffect, useMemo, useRef, useState } from 'react';
import type { DeskMe } from '#contract/desk/access.ts';
import { useAccess } from '../client/react/use-access.ts';
import { EmptyState } from '../kit/empty-state.tsx';
import { ErrorBoundary } from '../kit/error-boundary.tsx';
import { useAnnounce } from '../kit/live-region.tsx';
import { Link } from '../kit/navigation/link.tsx';
import { useAddress, useNavigator } from '../kit/navigation/navigation.tsx';
import { NotAllowed } from './access/lazy-parts.ts';
import { isUsable, matchScreen, type Screen, type ScreenMatch, toUsable } from './shared/screens.ts';
import styles from './shell.module.css';
import { useQuery } from '@tanstack/react-query';
import { type OutageKind, OUTAGES } from '../client/outage.ts';
import { useApi } from '../client/react/use-api.tsx';
import { usePreferences } from '../kit/preferences/use-preferences.tsx';
import type { OutageSound } from './outage/outage-sound.ts';
import { useOutage } from '../client/react/use-outage.ts';
import { lazy } from '../kit/lazy.tsx';
import type { KeyBinding } from '../kit/keys/keyboard.ts';
import { useKeys } from '../kit/keys/use-keys.tsx';
import { type AppDialog, AppDialogs } from './app-dialogs.tsx';
import { Header } from './header.tsx';

function ScreenOutlet() {
  const { path } = useAddress();
  const desk = useAccess();
  const match = matchScreen(path);
  const name = match?.screen.name ?? 'Page not found';
  const screen = match?.screen.path ?? '';
  const main = useScreenChange(screen, name);
  return (
    <main className={styles['screen']} id="main" ref={main} tabIndex={-1}>
      <ErrorBoundary key={screen} of={path}>
        <Content path={path} match={match} desk={desk} />
      </ErrorBoundary>
    </main>
  );
}

interface ContentProps {
  readonly path: string;
  readonly match: ScreenMatch | null;
  readonly desk: DeskMe | null;
}

function Content({ path, match, desk }: ContentProps) {
  if (match !== null && isUsable(match.screen, desk)) return <match.screen.Component parameters={match.parameters} />;
  // Where nobody signs in, there are no screens about people.
  return match === null || desk === null ? (
    <NotFound path={path} screens={toUsable(desk)} />
  ) : (
    <NotAllowed {...match.screen} />
  );
}

/** Names a new screen to screen readers, and puts the focus at its top. */
function useScreenChange(screen: string, name: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string | null>(null);
  const announce = useAnnounce();
  useEffect(() => {
    if (shown.current !== null && shown.current !== screen) {
      main.current?.focus({ preventScroll: true });
      main.current?.scrollTo(0, 0);
      announce(name);
    }
    shown.current = screen;
  }, [screen, name, announce]);
  return main;
}

function NotFound({ path, screens }: { readonly path: string; readonly screens: readonly Screen[] }) {
  return (
    <EmptyState title="Page not found" level={1}>
      <p>No screen exists at {path}. Available screens:</p>
      <ul>
        {screens.map(({ name, home }) => (
          <li key={name}>
            <Link to={home}>{name}</Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}

/** A sound at the start and at the end of an outage, where the user wants it. Spent requests come back by themselves, in minutes. */
function useOutageSound(kind: OutageKind | null): void {
  const isOn = usePreferences().outageSound === 'on';
  const isOut = kind !== null && kind !== 'rate-limited';
  const sound = useSound(isOn);
  const before = useRef(isOut);
  useWatchInBackground(isOn);
  useEffect(() => {
    if (before.current === isOut) return;
    before.current = isOut;
    void sound.current?.play(isOut ? 'start' : 'end');
  }, [isOut, sound]);
}

/** Null while it is off, or not loaded yet. */
function useSound(isOn: boolean) {
  const sound = useRef<OutageSound | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    let isWanted = true;
    import('./outage/outage-sound.ts').then(
      ({ createOutageSound }) => {
        if (isWanted) sound.current = createOutageSound();
      },
      // Without it the bar and the title remain.
      () => undefined,
    );
    return () => {
      isWanted = false;
      sound.current?.dispose();
      sound.current = null;
    };
  }, [isOn]);
  return sound;
}

/** A sound is for those who look elsewhere: Perpdesk’s status is read while the tab is hidden, too. */
function useWatchInBackground(enabled: boolean): void {
  const { queries } = useApi();
  useQuery({ ...queries.desk.status({}), enabled, refetchIntervalInBackground: true });
}

const OutageBar = lazy(async () => (await import('./outage/outage-bar.tsx')).OutageBar);

/** What an outage does to every screen: the bar below the screen, the title of the window, an announcement, a sound. */
function Outage() {
  const kind = useOutage();
  useWindowTitle(kind);
  useAnnouncedOutage(kind);
  useOutageSound(kind);
  useFetchedAhead();
  return (
    kind !== null && (
      <ErrorBoundary level={3}>
        <OutageBar kind={kind} />
      </ErrorBoundary>
    )
  );
}

/** Also seen while another tab is in front. */
function useWindowTitle(kind: OutageKind | null): void {
  const name = matchScreen(useAddress().path)?.screen.name ?? 'Page not found';
  useEffect(() => {
    document.title = `${kind === null ? '' : `⚠ ${OUTAGES[kind].title} · `}${name} · Perpdesk`;
  }, [kind, name]);
}

function useAnnouncedOutage(kind: OutageKind | null): void {
  const announce = useAnnounce();
  const before = useRef<OutageKind | null>(null);
  useEffect(() => {
    if (kind !== null && kind !== before.current) announce(`${OUTAGES[kind].title}.`, true);
    else if (kind === null && before.current !== null) announce(OUTAGES[before.current].over);
    before.current = kind;
  }, [kind, announce]);
}

/** In an outage of the server, no more code arrives. */
function useFetchedAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      Promise.all([OutageBar.fetch(), import('#page/panels/failure.tsx')]).catch(() => undefined);
    }, FETCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
}

/** The first screen comes first. */
const FETCH_AFTER_MS = 3_000;

function useGlobalShortcuts(open: (dialog: AppDialog) => void): void {
  const navigator = useNavigator();
  const desk = useAccess();
  const bindings = useMemo((): readonly KeyBinding[] => {
    const opens = (keys: string, label: string, dialog: AppDialog): KeyBinding => ({
      keys,
      label,
      group: 'Global',
      run: () => {
        open(dialog);
      },
    });
    return [
      opens('Mod+k', 'Search products, screens and commands', 'command-palette'),
      {
        ...opens('/', 'Search products, screens and commands (on screens without a filter)', 'command-palette'),
        yields: true,
      },
      opens('?', 'Keyboard shortcuts', 'shortcuts'),
      opens(',', 'Preferences', 'preferences'),
      ...toUsable(desk).map(({ name, home, key }) => ({
        keys: `g ${key}`,
        label: name,
        group: 'Go to',
        run: () => {
          navigator.go(home);
        },
      })),
    ];
  }, [navigator, open, desk]);
  useKeys(bindings);
}

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
