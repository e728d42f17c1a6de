import { useEffect, useRef } from 'react';
import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import { type AlertMark, describeNewAlerts, findNewAlerts } from '#model/rules/new-alerts.ts';
import { useAnnounce } from '../../kit/live-region.tsx';
import { useNavigator } from '../../kit/navigation/navigation.tsx';
import { usePreferences } from '../../kit/preferences/use-preferences.tsx';
import { createSoundOutput, oneTabAfterAnother, type SoundOutput } from '../shared/tones.ts';
import { toAlertAddress } from '../../screens/rules/alerts/alert-address.ts';
import { playAlert } from './alert-sound.ts';
import { holdWhileVisible, isAnyPageVisible } from './visible-pages.ts';
import { useQuery } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '../../client/react/use-api.tsx';
import { useRulesApi } from '../../client/react/use-rules-api.ts';
import type { DeskStatus } from '#contract/desk/desk.ts';
import { type TopicName, TOPICS } from '#contract/desk/topics.ts';
import { ALERTS_UNKNOWN, summariseAlerts } from '#model/rules/alert-summary.ts';
import { lazyOverlay } from '../../kit/lazy.tsx';
import { usePopupButton } from '../../kit/use-popup-button.ts';
import { useNow } from '../../kit/time/use-now.tsx';
import styles from './alert-badge.module.css';

/** Makes new alerts known: to screen readers in each tab, by sound and notification once in each browser. */
export function useAlertCalls(alerts: readonly Alert[] | undefined): void {
  const { alertSound, alertVolume, alertNotifications } = usePreferences();
  const navigator = useNavigator();
  const sound = useSoundOutput(alertSound !== 'off');
  const announce = useAnnounce();
  const seen = useRef<AlertMark>(null);
  useEffect(holdWhileVisible, []);
  useEffect(() => {
    if (alerts === undefined) return;
    const before = seen.current;
    const here = findNewAlerts(alerts, before);
    seen.current = here.mark;
    const { title, text } = describeNewAlerts(here.fresh);
    if (title !== '') announce(`Alert: ${title}. ${text}`);
    void oneTabAfterAnother(NAME, async () => {
      const { fresh, mark } = findNewAlerts(alerts, readMark(NAME) ?? (before === null ? null : 0));
      const unheard = findNewAlerts(here.fresh, readMark(HEARD) ?? 0).fresh;
      // Where there has been no alert, nothing is stored.
      if (mark > 0) localStorage.setItem(NAME, String(mark));
      const context = sound.current?.context() ?? null;
      // A tab that may not sound leaves it to one that may.
      if (context !== null && unheard.length > 0) {
        localStorage.setItem(HEARD, String(mark));
        playAlert(context, alertSound, alertVolume);
      }
      const [worst] = fresh;
      if (worst === undefined) return;
      // Whoever looks at a page sees the badge.
      if (alertNotifications === 'on' && !(await isAnyPageVisible()))
        notify(fresh, () => {
          navigator.go(toAlertAddress(worst));
        });
    });
  }, [alerts, alertSound, alertVolume, alertNotifications, navigator, sound, announce]);
}

const NAME = 'perpdesk.alerts-known-until';
const HEARD = 'perpdesk.alerts-heard-until';

function readMark(name: string): AlertMark {
  const stored = localStorage.getItem(name);
  return stored === null || Number.isNaN(Number(stored)) ? null : Number(stored);
}

/** Null while it is off. */
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

function notify(fresh: readonly Alert[], open: () => void): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const { title, text } = describeNewAlerts(fresh);
  // In place of an earlier one, but as noticeable as that was.
  const options: NotificationOptions & { readonly renotify: boolean } = { body: text, tag: NAME, renotify: true };
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    open();
    notification.close();
  };
}

const AlertPopover = lazyOverlay(async () => (await import('./alert-popover.tsx')).AlertPopover);

const TOPIC: TopicName = 'alerts';
const { everySeconds: EVERY_SECONDS } = TOPICS[TOPIC];

/** How many alerts there are and how bad, on every screen; a press lists them. */
export function AlertBadge() {
  const { live } = useApi();
  const query = useRulesApi().queries.alerts({}, { everySeconds: EVERY_SECONDS });
  const { alertSound, alertNotifications } = usePreferences();
  // Sounds and notifications are for those who look elsewhere.
  const isCalled = alertSound !== 'off' || alertNotifications === 'on';
  // Where they are not pushed, at the same pace whatever failed: nobody may have to ask for it.
  const { refetchInterval: whilePushed } = query;
  const refetchInterval: typeof whilePushed = (state) =>
    live !== undefined && live.pushedAt(TOPIC) > 0 && typeof whilePushed === 'function'
      ? whilePushed(state)
      : EVERY_SECONDS * 1_000;
  const { data, error, isFetched } = useQuery({ ...query, refetchInterval, refetchIntervalInBackground: isCalled });
  useAlertCalls(error === null ? data?.value.alerts : undefined);
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

function BadgeText({ alerts }: { readonly alerts: DeskAlerts | undefined }) {
  const { queries } = useApi();
  const offset = useQuery({ ...queries.desk.status({}), select: toDeskOffset }).data ?? 0;
  const now = useNow();
  const { mark, text } = alerts === undefined ? ALERTS_UNKNOWN : summariseAlerts(alerts, now + offset);
  return (
    <span className={styles['text']} data-severity={mark}>
      {text}
    </span>
  );
}

/** How far Perpdesk's clock is ahead of the browser's, in milliseconds, rounded to a second so that it hardly changes. */
function toDeskOffset({ value, receivedAt }: ApiResponse<DeskStatus>): number {
  return Math.round((Date.parse(value.now) - receivedAt) / 1_000) * 1_000;
}
