import { useApi } from '#page/client/react/use-api.tsx';
import type { Instant } from '#contract/exchange/instant.ts';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { atParam, toAtText } from './travel/travel-params.ts';
import { type ReactNode, useState } from 'react';
import hidden from '#page/kit/hidden.module.css';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody, Skeleton } from '#page/panels/panel-body.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { CompletenessBadge } from './working/completeness.tsx';
import { ListLinks } from './shared/order-links.tsx';
import styles from './shared/orders.module.css';
import { Reserved } from './working/working-footer.tsx';
import { useLiveOrders, useWorking, type WorkingReading, type WorkingSnapshot } from './working/use-live-orders.ts';
import { WorkingList } from './working/working-list.tsx';

const NAME = 'Time travel';
const REMARK = 'Working orders as they were at an earlier time';

/** Opens time travel at the reading on screen. */
export function TravelButton({ readTo }: { readonly readTo: Instant | null }) {
  const { now } = useApi();
  const [, setAt] = useUrlState(atParam, 'push');
  const travel = (): void => {
    setAt(readTo ?? toAtText(now()));
  };
  useProvideCommands(() => [{ group: 'Orders', label: NAME, remark: REMARK, run: travel }]);
  return (
    <button type="button" title={REMARK} onClick={travel}>
      {NAME}
    </button>
  );
}

const TimeTravel = lazy(async () => (await import('./travel/time-travel.tsx')).TimeTravel, <Skeleton />);

/** Shows the working orders of now, or of the instant in the address. */
export function WorkingScreen() {
  const [at] = useUrlState(atParam);
  return at === '' ? <NewestOrders /> : <TimeTravel />;
}

function NewestOrders() {
  const reading = useWorking();
  const { data, isFetching } = reading.query;
  if (data !== undefined) return <LiveWorkingOrders reading={reading} latest={data} />;
  return (
    <div className={styles['screen']}>
      <Bar />
      <div className={styles['body']} aria-busy={isFetching}>
        <ListHeading />
        <PanelBody query={reading.query}>{() => null}</PanelBody>
      </div>
    </div>
  );
}

interface LiveWorkingOrdersProps {
  readonly reading: WorkingReading;
  readonly latest: WorkingSnapshot;
}

/**
 * Shows the live list. Age and completeness describe the snapshot on screen, which is older than the latest one while
 * updates are held.
 */
function LiveWorkingOrders({ reading: { query, dueAt }, latest }: LiveWorkingOrdersProps) {
  const [paused, setPaused] = useState(false);
  const [busy, setBusy] = useState(false);
  const held = paused ? 'paused' : busy ? 'held' : null;
  const live = useLiveOrders(latest, held !== null);
  const { shown } = live;
  const isStale = query.error !== null || latest.staleBecause !== null;
  // On a phone, the badge would take an additional line, and the footer shows completeness as well.
  const isSaidBelow = useMedia(NARROW) && shown.completeness.complete;
  return (
    <div className={styles['screen']}>
      <Bar travel={<TravelButton readTo={shown.completeness.readTo} />}>
        {!isSaidBelow && <CompletenessBadge completeness={shown.completeness} isStale={isStale} />}
        <Reserved widest={`paused, 59 min old · refreshes every ${formatDuration(shown.everySeconds)}`}>
          <FreshnessMark query={{ ...query, data: shown }} everySeconds={shown.everySeconds} hold={held} />
        </Reserved>
      </Bar>
      <div className={styles['body']}>
        <ListHeading />
        <PanelBody query={query} noticeAt="end">
          {() => (
            <WorkingList
              live={live}
              isStale={isStale}
              dueAt={dueAt}
              held={held}
              setPaused={setPaused}
              setBusy={setBusy}
            />
          )}
        </PanelBody>
      </div>
    </div>
  );
}

/** A heading for screen readers, above the headings of empty and error states. */
function ListHeading() {
  return <h2 className={hidden['hidden']}>Orders</h2>;
}

function Bar({ travel, children }: { readonly travel?: ReactNode; readonly children?: ReactNode }) {
  return (
    <Toolbar title="Working orders" aside={<span className={styles['aside']}>{children}</span>}>
      <ListLinks here="Working" />
      {travel}
    </Toolbar>
  );
}
