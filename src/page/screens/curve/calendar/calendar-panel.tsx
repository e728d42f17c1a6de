import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import {
  describeRoll,
  findInterestSessions,
  nameMonth,
  toCalendarEvents,
  toExpiredMonths,
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
import { NARROW, useMedia } from '#page/kit/use-media.ts';
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
  const query = usePanelQuery(useQuery(queries.desk.products({})));
  const voi = useQuery(queries.venue.chartVoi({}, DAILY));
  const products = query.data?.value.products ?? NO_PRODUCTS;
  const calendar = useMemo(() => toCalendar(products, underlying, voi.data), [products, underlying, voi.data]);
  const { expiries, sessions, interests } = calendar;
  const save = (of: string | null): void => {
    const events = toCalendarEvents(toExpiries(products, of));
    const file = toIcs(of === null ? 'Expiries' : `Expiries of ${of}`, query.data?.receivedAt ?? 0, events);
    // The code that rejects the export also shows the reason.
    downloadRows(`expiries${of === null ? '' : `-${of}`}.ics`, new Blob([file]), events.length).catch(() => undefined);
  };
  const toItem = (label: string, of: string | null) => ({
    ...{ label, remark: '.ics' },
    run: () => {
      save(of);
    },
  });
  return (
    <Panel
      title={`${underlying} expiries`}
      query={query}
      everySeconds={DESK_ENDPOINTS.products.reuseSeconds}
      besides={[voi.data]}
      actions={
        query.data !== undefined && (
          <ExportMenu
            of="expiries"
            fileName={`expiries-${underlying}`}
            write={(form) => toExpiriesCsv(expiries, interests, sessions, voi.data ?? null, form)}
            more={[toItem(`Calendar of ${underlying}`, underlying), toItem('Calendar of all underlyings', null)]}
          />
        )
      }
    >
      {() => (
        <Expiries
          {...{ underlying, calendar }}
          failure={voi.data === undefined && voi.error !== null ? voi.error.message : null}
        />
      )}
    </Panel>
  );
}

const NO_PRODUCTS: readonly DeskProduct[] = [];

type Calendar = ReturnType<typeof toCalendar>;

function toCalendar(
  products: readonly DeskProduct[],
  underlying: string,
  voi: ApiResponse<readonly VOIDataPoint[]> | undefined,
) {
  const listed = toExpiries(products, underlying);
  const sessions = findInterestSessions(listed, voi?.value ?? []);
  const expiries = sessions === null ? listed : [...toExpiredMonths(products, underlying, sessions), ...listed];
  const interests = voi === undefined || sessions === null ? [] : toMonthInterests(expiries, voi, sessions);
  return { expiries, sessions, interests };
}

interface ExpiriesProps {
  readonly underlying: string;
  readonly calendar: Calendar;
  /** Why open interest could not be read, or null. */
  readonly failure: string | null;
}

function Expiries({ underlying, calendar: { expiries, sessions, interests }, failure }: ExpiriesProps) {
  const [zone] = useZone();
  const now = useExchangeMinute();
  const isNarrow = useMedia(NARROW);
  const rows = useMemo(
    () => expiries.map((expiry, place): CalendarRow => ({ expiry, interest: interests[place] ?? null })),
    [expiries, interests],
  );
  const digits = Math.max(0, ...interests.map((interest) => interest?.now?.decimalPlaces() ?? 0));
  const columns = useMemo(
    () => createCalendarColumns({ underlying, zone, now, sessions, digits, isNarrow }),
    [underlying, zone, now, sessions, digits, isNarrow],
  );
  const [next] = expiries.filter(({ futures, hasExpired }) => futures.length > 0 && !hasExpired);
  if (next === undefined) return <EmptyState title={`No month of ${underlying} expires`} />;
  const left = now === null ? '' : `, ${describeTimeLeft(toMillis(next.at) - now)}`;
  return (
    <>
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
  return `${expiry.at} ${String(expiry.hasExpired)}`;
}
