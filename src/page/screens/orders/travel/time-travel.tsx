import { useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import hidden from '#page/kit/hidden.module.css';
import { lazy } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { ListLinks } from '../shared/list-links.tsx';
import styles from '../shared/orders.module.css';
import { useOrderTerms } from '../shared/use-order-terms.ts';
import { findFace } from './faces.tsx';
import { PastBooks } from './past-books.tsx';
import type { StepFilter } from '#model/tables/orders/step-filter.ts';
import { useBook } from './use-book.ts';
import { useJournalTime } from './use-journal.ts';
import { useSteps } from './use-steps.ts';
import { useTravel, type Travel } from './use-travel.ts';
import own from './travel.module.css';

/** Its room is kept until its code is there, so that the list below does not move. */
const TimeBar = lazy(async () => (await import('./time-bar.tsx')).TimeBar, <div className={own['room']} />);

const ALL_ORDERS: StepFilter = { symbol: null, isWhole: true };

/** Working orders as they were at an instant, by the journal. Nothing on it is of now. */
export function TimeTravel() {
  const travel = useTravel();
  const { now } = useApi();
  const time = useJournalTime();
  const [filter, setFilter] = useState(ALL_ORDERS);
  const steps = useSteps({ at: travel.at, filter, goTo: travel.goTo, leave: travel.leave });
  const terms = useOrderTerms(true);
  const isTime = !Number.isNaN(travel.at) && !Number.isNaN(travel.other);
  const shown = useBook(isTime ? travel.at : null, terms);
  const other = useBook(isTime ? travel.other : null, terms);
  const title = useTitle(travel);
  useAnnounced(title);
  return (
    <div className={`${styles['screen'] ?? ''} ${own['past'] ?? ''}`} data-past="">
      <Toolbar title={title} aside={<Aside leave={travel.leave} />}>
        <ListLinks here="Working" />
      </Toolbar>
      <div className={styles['body']} aria-busy={shown.query.isFetching || other.query.isFetching}>
        <h2 className={hidden['hidden']}>Orders</h2>
        <TimeBar
          travel={travel}
          whole={time?.whole ?? null}
          now={time?.now ?? now()}
          steps={steps}
          symbol={filter.symbol}
        />
        {findFace({ travel, time, readings: [shown, other] }) ?? (
          <PastBooks travel={travel} shown={shown} other={other} onFilter={setFilter} />
        )}
      </div>
    </div>
  );
}

function useTitle({ at, other }: Travel): string {
  const [zone] = useZone();
  if (Number.isNaN(at) || Number.isNaN(other)) return 'Working orders at an invalid time';
  const [earlier, later] = other === null ? [null, at] : [Math.min(at, other), Math.max(at, other)];
  const title = `Working orders at ${formatInstant(later, zone)}`;
  return earlier === null ? title : `${title}, compared with ${formatInstant(earlier, zone)}`;
}

function Aside({ leave }: Pick<Travel, 'leave'>) {
  return (
    <span className={styles['aside']}>
      <StatusBadge state="attention">
        Past<span className={own['more']}>, from the journal</span>
      </StatusBadge>
      <button type="button" aria-keyshortcuts="Escape" onClick={leave}>
        Back to live{' '}
        <kbd className={own['more']} aria-hidden="true">
          Esc
        </kbd>
      </button>
    </span>
  );
}
