import { useQuery } from '@tanstack/react-query';
import { useAccess, useApi } from '#page/client/react/use-api.tsx';
import { nameExchange, type ReceivedStatus, toRoundedOffset, toVenueTime } from '#page/client/desk-status.ts';
import { Link, useAddress } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInstant, formatTimeOfDay } from '#model/format/format-time.ts';
import { describeAhead } from '#model/time/clocks.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import { toConnectionState } from './connection-state.ts';
import { useEffect, useState } from 'react';
import { lazy } from '#page/kit/lazy.tsx';
import { may } from '#page/client/access.ts';
import { KeyCaps } from '#page/kit/use-keys.tsx';
import type { AppDialog } from './app-dialogs.tsx';
import { AccountMenu } from './access-gate.tsx';
import { matchScreen, toUsable } from './screens.ts';
import styles from './header.module.css';

/** Shows whether the data on screen can be current. */
function ConnectionIndicator() {
  const { queries } = useApi();
  const { data, error } = useQuery(queries.desk.status({}));
  const { state, words } = toConnectionState(data, error);
  return (
    <Link className={styles['connection']} data-state={state} to="/status">
      {data !== undefined && <span className={styles['venue']}>{nameExchange(data.value.venue)}</span>}
      {data !== undefined && state !== 'failing' && <VenueClock status={data} />}
      {words !== null && <span className={styles['words']}>{words}</span>}
    </Link>
  );
}

function VenueClock({ status }: { readonly status: ReceivedStatus }) {
  const [zone] = useZone();
  const at = toVenueTime(status, useNow());
  const apart = describeAhead(-toRoundedOffset(status));
  return (
    <span className={styles['clock']} data-apart={apart !== null}>
      <Time at={at}>{apart === null ? formatTimeOfDay(at, zone) : formatInstant(at, zone)}</Time>
      {apart !== null && `, this machine ${apart} it`}
    </span>
  );
}

const AlertBadge = lazy(async () => (await import('./notices/alert-badge.tsx')).AlertBadge);

/** The badge's code waits, so that it does not compete with the first screen. */
const FETCH_AFTER_MS = 1_000;
const FETCH_AGAIN_AFTER_MS = 5_000;

/**
 * Shows a plain link to the alerts until the badge has loaded. If it fails to load, the link says so, since alerts
 * would otherwise go unnoticed.
 */
function Alerts() {
  const [text, setText] = useState<string | null>('Alerts');
  useEffect(() => {
    let timer = setTimeout(load, FETCH_AFTER_MS);
    function load(): void {
      AlertBadge.fetch().then(
        () => {
          setText(null);
        },
        () => {
          setText('Alerts unknown');
          timer = setTimeout(load, FETCH_AGAIN_AFTER_MS);
        },
      );
    }
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <span className={styles['alerts']}>
      {text === null ? (
        <AlertBadge />
      ) : (
        <Link className={styles['link']} to="/rules">
          {text}
        </Link>
      )}
    </span>
  );
}

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
      {may(desk, 'operations') && <Alerts />}
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
        <span className={styles['account']}>
          <AccountMenu />
        </span>
      )}
    </header>
  );
}
