import { useEffect, useRef } from 'react';
import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import {
  type AlertMark,
  ALERTS_UNKNOWN,
  describeNewAlerts,
  findNewAlerts,
  summariseAlerts,
} from '#model/rules/alert-summary.ts';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { useNavigator } from '#page/kit/navigation.tsx';
import { usePreferences } from '#page/kit/use-preferences.tsx';
import { onOpened, showNotification } from './browser-notification.ts';
import { createSoundOutput, oneTabAfterAnother, playAlert, type SoundOutput } from '#page/panels/sounds.ts';
import { toAlertAddress } from '#page/screens/rules/alerts/alert-address.ts';
import { useQuery } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useOutage } from '#page/client/react/use-desk-status.ts';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import { type TopicName, TOPICS } from '#contract/desk/topics.ts';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { usePopupButton } from '#page/kit/anchored-popover.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import styles from './alert-badge.module.css';

const AlertPopover = lazyOverlay(async () => (await import('./alert-popover.tsx')).AlertPopover);

const TOPIC: TopicName = 'alerts';

/** Shows the number and severity of current alerts on every screen. A click lists them. */
export function AlertBadge() {
  const { live } = useApi();
  const query = useRulesApi().queries.alerts({}, { everySeconds: EVERY_SECONDS });
  const { alertSound, alertNotifications } = usePreferences();
  // Sounds and notifications are for people looking elsewhere, so polling continues in the background.
  const isNotified = alertSound !== 'off' || alertNotifications === 'on';
  // When alerts are not pushed, polling keeps its pace even after failures: nobody should have to retry by hand.
  const { refetchInterval: whilePushed } = query;
  const refetchInterval: typeof whilePushed = (state) =>
    live !== undefined && live.pushedAt(TOPIC) > 0 && typeof whilePushed === 'function'
      ? whilePushed(state)
      : EVERY_SECONDS * 1_000;
  const { data, error, isFetched } = useQuery({ ...query, refetchInterval, refetchIntervalInBackground: isNotified });
  useAlertNotifications(error === null ? data?.value.alerts : undefined);
  const { anchor, isOpen, setOpen, button } = usePopupButton();
  return (
    <>
      <button
        {...button}
        className={styles['badge']}
        onFocus={AlertPopover.prefetch}
        onPointerEnter={AlertPopover.prefetch}
      >
        {isFetched ? <BadgeText alerts={error === null ? data?.value : undefined} /> : 'Alerts …'}
      </button>
      {isOpen && anchor !== null && (
        <AlertPopover
          anchor={anchor}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

const SEPARATOR = ' · ';

/**
 * The first part and failing channels are always shown; where the header has no space for the others, the list that
 * opens has them.
 */
function BadgeText({ alerts }: { readonly alerts: DeskAlerts | undefined }) {
  const { queries } = useApi();
  const offset = useQuery({ ...queries.desk.status({}), select: toDeskOffset }).data ?? 0;
  const now = useNow();
  const isOut = useOutage() !== null;
  const { mark, text, failing } = alerts === undefined ? ALERTS_UNKNOWN : summariseAlerts(alerts, now + offset, isOut);
  const [first = '', ...others] = text.split(SEPARATOR);
  const parts = [first, ...(failing === undefined ? [] : [failing]), ...others];
  return (
    <span className={styles['text']} data-severity={mark} data-stale={isOut} title={parts.join(SEPARATOR)}>
      {parts.map((part, index) => (
        <span key={part} data-failing={part === failing}>
          {index > 0 && SEPARATOR}
          {part}
        </span>
      ))}
    </span>
  );
}

/**
 * Returns how far the server's clock is ahead of the browser's, in milliseconds, rounded to a second so that it rarely
 * changes.
 */
function toDeskOffset({ value, receivedAt }: ApiResponse<DeskStatus>): number {
  return Math.round((Date.parse(value.now) - receivedAt) / 1_000) * 1_000;
}

/** Announces new alerts: to screen readers in every tab, and by sound and notification once per browser. */
export function useAlertNotifications(alerts: readonly Alert[] | undefined): void {
  const { alertSound, alertVolume, alertNotifications } = usePreferences();
  const navigator = useNavigator();
  const sound = useSoundOutput(alertSound !== 'off');
  const announce = useAnnounce();
  const seen = useRef<AlertMark>(null);
  useEffect(holdWhileVisible, []);
  useEffect(() => onOpened(navigator.go), [navigator]);
  useEffect(() => {
    if (alerts === undefined) return;
    const before = seen.current;
    const here = findNewAlerts(alerts, before);
    seen.current = here.mark;
    const { title, text } = describeNewAlerts(here.fresh);
    if (title !== '') announce(`Alert: ${title}. ${text}`);
    void oneTabAfterAnother(KNOWN, async () => {
      const { fresh, mark } = findNewAlerts(alerts, readMark(KNOWN) ?? (before === null ? null : 0));
      const unheard = findNewAlerts(here.fresh, readMark(HEARD) ?? 0).fresh;
      // Zero means that there has never been an alert, which need not be stored.
      if (mark > 0) localStorage.setItem(KNOWN, String(mark));
      const context = sound.current?.context() ?? null;
      // A tab that may not play sound leaves it to one that may.
      if (context !== null && unheard.length > 0) {
        localStorage.setItem(HEARD, String(mark));
        playAlert(context, alertSound, alertVolume);
      }
      const [worst] = fresh;
      if (worst === undefined) return;
      // While a page is visible, its badge suffices.
      if (alertNotifications === 'on' && !(await isAnyPageVisible()))
        await showNotification(toNotification(fresh, worst), navigator.go);
    });
  }, [alerts, alertSound, alertVolume, alertNotifications, navigator, sound, announce]);
}

function toNotification(fresh: readonly Alert[], worst: Alert) {
  const { title, text } = describeNewAlerts(fresh);
  return { title, body: text, tag: KNOWN, path: toAlertAddress(worst) };
}

const KNOWN = 'perpdesk.alerts-known-until';
const HEARD = 'perpdesk.alerts-heard-until';

function readMark(name: string): AlertMark {
  const stored = localStorage.getItem(name);
  return stored === null || Number.isNaN(Number(stored)) ? null : Number(stored);
}

/** Returns a reference that is null while sound is off. */
function useSoundOutput(isOn: boolean) {
  const output = useRef<SoundOutput | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    const opened = createSoundOutput();
    output.current = opened;
    return () => {
      opened.dispose();
      output.current = null;
    };
  }, [isOn]);
  return output;
}

const VISIBLE_PAGE = 'perpdesk.visible-page';

/**
 * Holds a lock, shared with the other visible pages, while this page is visible. The browser releases it however the
 * page ends.
 */
export function holdWhileVisible(): () => void {
  // Browsers offer locks, like notifications, only over https or on this machine.
  if (!('locks' in navigator)) return () => undefined;
  let release: (() => void) | null = null;
  const update = (): void => {
    if (document.hidden) {
      release?.();
      release = null;
      return;
    }
    release ??= holdLock();
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    release?.();
  };
}

function holdLock(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  void navigator.locks.request(VISIBLE_PAGE, { mode: 'shared' }, () => promise);
  return () => {
    resolve(undefined);
  };
}

/** Returns whether any Perpdesk page of this browser is visible. */
export async function isAnyPageVisible(): Promise<boolean> {
  if (!document.hidden) return true;
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === VISIBLE_PAGE);
}

const { everySeconds: EVERY_SECONDS } = TOPICS[TOPIC];
