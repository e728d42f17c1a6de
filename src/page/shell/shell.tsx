import { useEffect, useMemo, useRef, useState } from 'react';
import type { DeskMe } from '#contract/desk/access.ts';
import { useAccess, useApi } from '#page/client/react/use-api.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { Link, useAddress, useNavigator } from '#page/kit/navigation.tsx';
import { NotAllowed } from './access-gate.tsx';
import { isUsable, matchScreen, type Screen, type ScreenMatch, toUsable } from './screens.ts';
import styles from './shell.module.css';
import { useQuery } from '@tanstack/react-query';
import { type OutageKind, OUTAGES } from '#page/client/desk-status.ts';
import { usePreferences } from '#page/kit/use-preferences.tsx';
import type { OutageSound } from './notices/outage-sound.ts';
import { useOutage } from '#page/client/react/use-desk-status.ts';
import { lazy } from '#page/kit/lazy.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { useKeys } from '#page/kit/use-keys.tsx';
import { useShownSubject } from '#page/kit/window-title.ts';
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
  // Where nobody signs in, the account screens do not exist, so they count as not found.
  return match === null || desk === null ? (
    <NotFound path={path} screens={toUsable(desk)} />
  ) : (
    <NotAllowed {...match.screen} />
  );
}

/** Announces a new screen to screen readers, and moves the focus to its list or, without one, to its top. */
function useScreenChange(screen: string, name: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string | null>(null);
  const announce = useAnnounce();
  useEffect(() => {
    const before = shown.current;
    shown.current = screen;
    if (main.current === null || before === null || before === screen) return undefined;
    main.current.focus({ preventScroll: true });
    main.current.scrollTo(0, 0);
    announce(name);
    return focusListOf(main.current);
  }, [screen, name, announce]);
  return main;
}

/** Its code loads while that of the screen does. Without it, the focus stays at the top. */
function focusListOf(main: HTMLElement): () => void {
  const left = new AbortController();
  import('./focus-list.ts').then(
    ({ focusList }) => {
      focusList(main, left.signal);
    },
    () => undefined,
  );
  return () => {
    left.abort();
  };
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

/**
 * Plays a sound at the start and end of an outage, if the preferences say so. A spent budget makes no sound, because
 * it refills within minutes.
 */
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

/** Returns a reference that is null while sound is off or not loaded yet. */
function useSound(isOn: boolean) {
  const sound = useRef<OutageSound | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    let isWanted = true;
    import('./notices/outage-sound.ts').then(
      ({ createOutageSound }) => {
        if (isWanted) sound.current = createOutageSound();
      },
      // If the sound fails to load, the bar and the title still show the outage.
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

/** Reads the status while the tab is hidden, too: sound is for people looking elsewhere. */
function useWatchInBackground(enabled: boolean): void {
  const { queries } = useApi();
  useQuery({ ...queries.desk.status({}), enabled, refetchIntervalInBackground: true });
}

const OutageBar = lazy(async () => (await import('./notices/outage-bar.tsx')).OutageBar);

/** Shows an outage on every screen: the bar below the screen, the window's title, an announcement and a sound. */
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

/**
 * Names what the screen shows in the window's title, which shows even while another tab is in front; in an outage, the
 * outage and the screen, since no figure is current.
 */
function useWindowTitle(kind: OutageKind | null): void {
  const name = matchScreen(useAddress().path)?.screen.name ?? 'Page not found';
  const subject = useShownSubject();
  const title = kind === null ? (subject ?? name) : `⚠ ${OUTAGES[kind].title} · ${name}`;
  useEffect(() => {
    document.title = `${title} · Perpdesk`;
  }, [title]);
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

/** Loads the code for outages in advance, because none can be loaded while the server is down. */
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

/** Waits, so as not to compete with the first screen. */
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

/**
 * Lays out the header, the current screen, and below it the outage bar, so that its appearance moves nothing under the
 * pointer. A screen that crashes leaves the header usable.
 */
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
