import { useEffect, useRef } from 'react';
import type { Alert } from '#contract/desk/alerts.ts';
import { describeNewAlerts, findNewAlerts, type AlertMark } from '#model/rules/new-alerts.ts';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { useNavigator } from '#page/kit/navigation/navigation.tsx';
import { usePreferences } from '#page/kit/preferences/use-preferences.tsx';
import { createSoundOutput, oneTabAfterAnother, type SoundOutput } from '../shared/tones.ts';
import { toAlertAddress } from '#page/screens/rules/alerts/alert-address.ts';
import { playAlert } from './alert-sound.ts';
import { holdWhileVisible, isAnyPageVisible } from './visible-pages.ts';

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
