import { useEffect, useRef } from 'react';
import { OUTAGES, type OutageKind } from '#page/client/outage.ts';
import { useOutage } from '#page/client/react/use-outage.ts';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { useAddress } from '#page/kit/navigation/navigation.tsx';
import { matchScreen } from '../shared/screens.ts';
import { useOutageSound } from './use-outage-sound.ts';

const OutageBar = lazy(async () => (await import('./outage-bar.tsx')).OutageBar);

/** What an outage does to every screen: the bar below the screen, the title of the window, an announcement, a sound. */
export function Outage() {
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
