import { useQuery } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import type { DeskStatus } from '#contract/desk/desk.ts';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import { TOPICS, type TopicName } from '#contract/desk/topics.ts';
import { ALERTS_UNKNOWN, summariseAlerts } from '#model/rules/alert-summary.ts';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { usePreferences } from '#page/kit/preferences/use-preferences.tsx';
import { usePopupButton } from '#page/kit/use-popup-button.ts';
import { useNow } from '#page/kit/time/use-now.tsx';
import { useAlertCalls } from './use-alert-calls.ts';
import styles from './alert-badge.module.css';

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
