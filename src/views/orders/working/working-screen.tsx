import { useState } from 'react';
import type { ReactNode } from 'react';
import hidden from '#ui/hidden.module.css';
import { FreshnessMark } from '#panels/freshness-mark.tsx';
import { PanelBody } from '#panels/panel-body.tsx';
import { Skeleton } from '#panels/skeleton.tsx';
import { lazy } from '#ui/lazy.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { formatDuration } from '#ui/time/format-time.ts';
import { NARROW, useMedia } from '#ui/use-media.ts';
import { CompletenessBadge } from './completeness.tsx';
import { ListLinks } from '../list-links.tsx';
import styles from '../orders.module.css';
import { Reserved } from './reserved.tsx';
import { atParam } from '../travel/travel-params.ts';
import { TravelButton } from '../travel/travel-button.tsx';
import { useLiveOrders } from './use-live-orders.ts';
import { useWorking, type WorkingReading, type WorkingSnapshot } from './use-working.ts';
import { WorkingList } from './working-list.tsx';

const TimeTravel = lazy(async () => (await import('../travel/time-travel.tsx')).TimeTravel, <Skeleton />);

/** Working orders now, or as they were at the instant that the address names. */
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

/** Age and completeness describe the snapshot on screen, which is older than the latest while updates are held. */
function LiveWorkingOrders({ reading: { query, dueAt }, latest }: LiveWorkingOrdersProps) {
  const [paused, setPaused] = useState(false);
  const [busy, setBusy] = useState(false);
  const held = paused ? 'paused' : busy ? 'held' : null;
  const live = useLiveOrders(latest, held !== null);
  const { shown } = live;
  const isStale = query.error !== null || latest.staleBecause !== null;
  // On a phone it would need a further line; the footer says it too.
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

/** For screen readers: the headings of empty and error states come below it. */
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
