import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DESK_ENDPOINTS, type DeskProducts } from '#contract/desk/desk.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import {
  describeRoll,
  findInterestSessions,
  nameMonth,
  toCalendarEvents,
  toExpiries,
  toMonthInterests,
} from '#model/curve/expiry-calendar.ts';
import { toExpiriesCsv } from '#model/curve/expiry-csv.ts';
import { toIcs } from '#model/format/ics.ts';
import { formatDay } from '#model/format/format-time.ts';
import type { ApiResponse } from '#model/response.ts';
import { describeTimeLeft } from '#model/products/expiry.ts';
import { toMillis } from '#model/time/session.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { downloadRows } from '#page/kit/download.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { FigureGrid } from '#page/panels/figure-grid.tsx';
import { usePanelQuery } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { useExchangeMinute } from '#page/panels/use-exchange-time.ts';
import { ReasonList } from '../shared/reason-list.tsx';
import styles from '../shared/curve.module.css';
import { type CalendarRow, createCalendarColumns } from './calendar-columns.ts';

/** Open interest changes once a day. */
const DAILY = { everySeconds: 900 } as const;

/** What of an underlying expires when, and how its open interest moves from month to month. */
export function CalendarPanel({ underlying }: { readonly underlying: string }) {
  const { queries } = useApi();
  const products = usePanelQuery(useQuery(queries.desk.products({})));
  const voi = useQuery(queries.venue.chartVoi({}, DAILY));
  const failure = voi.data === undefined && voi.error !== null ? voi.error.message : null;
  return (
    <Panel
      title={`${underlying} expiries`}
      query={products}
      everySeconds={DESK_ENDPOINTS.products.reuseSeconds}
      besides={[voi.data]}
    >
      {(response) => <Expiries {...{ underlying, response, voi: voi.data, failure }} />}
    </Panel>
  );
}

interface ExpiriesProps {
  readonly underlying: string;
  readonly response: ApiResponse<DeskProducts>;
  readonly voi: ApiResponse<readonly VOIDataPoint[]> | undefined;
  /** Why open interest could not be read, or null. */
  readonly failure: string | null;
}

function Expiries({ underlying, response, voi, failure }: ExpiriesProps) {
  const [zone] = useZone();
  const now = useExchangeMinute();
  const { products } = response.value;
  const expiries = useMemo(() => toExpiries(products, underlying), [products, underlying]);
  const sessions = useMemo(() => findInterestSessions(expiries, voi?.value ?? []), [expiries, voi]);
  const interests = useMemo(
    () => (voi === undefined || sessions === null ? [] : toMonthInterests(expiries, voi, sessions)),
    [expiries, voi, sessions],
  );
  const rows = useMemo(
    () => expiries.map((expiry, place): CalendarRow => ({ expiry, interest: interests[place] ?? null })),
    [expiries, interests],
  );
  const columns = useMemo(
    () => createCalendarColumns({ underlying, zone, now, sessions }),
    [underlying, zone, now, sessions],
  );
  const [next] = expiries.filter(({ futures }) => futures.length > 0);
  if (next === undefined) return <EmptyState title={`No month of ${underlying} expires`} />;
  const save = (of: string | null): void => {
    const events = toCalendarEvents(toExpiries(products, of));
    const file = toIcs(of === null ? 'Expiries' : `Expiries of ${of}`, response.receivedAt, events);
    // The code that rejects the export also shows the reason.
    downloadRows(`expiries${of === null ? '' : `-${of}`}.ics`, new Blob([file]), events.length).catch(() => undefined);
  };
  const left = now === null ? '' : `, ${describeTimeLeft(toMillis(next.at) - now)}`;
  return (
    <>
      <div className={styles['tools']}>
        <span className={styles['end']}>
          <ExportMenu
            of="expiries"
            fileName={`expiries-${underlying}`}
            write={(form) => toExpiriesCsv(expiries, interests, sessions, voi ?? null, form)}
            more={[
              {
                label: `Calendar of ${underlying}`,
                remark: '.ics',
                run: () => {
                  save(underlying);
                },
              },
              {
                label: 'Calendar of all',
                remark: '.ics',
                run: () => {
                  save(null);
                },
              },
            ]}
          />
        </span>
      </div>
      <p className={styles['headline']}>
        <strong>
          {nameMonth(next)} expires next{left}.
        </strong>
        <span>{sessions !== null && describeRoll(expiries, interests, sessions)}</span>
      </p>
      <FigureGrid<CalendarRow> label={`${underlying} expiries`} columns={columns} rows={rows} keyOf={keyOf} />
      <ReasonList
        label="Missing"
        reasons={[
          failure === null ? null : `Open interest could not be read: ${failure}`,
          ...interests.map((interest) => interest?.missingBecause ?? null),
        ]}
      />
      <p className={styles['foot']}>
        Times are of the final settlement.{' '}
        {sessions !== null &&
          `Open interest of ${formatDay(sessions.newest)}, in ${underlying}: contracts × contract size. It is published the following morning.`}
      </p>
    </>
  );
}

function keyOf({ expiry }: CalendarRow): string {
  return expiry.at;
}
