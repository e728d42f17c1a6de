import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ComponentProps, useMemo, useRef } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { SERIES_INKS } from '#model/charts/chart-data.ts';
import {
  addChanges,
  type ChangedRow,
  type ComparedCurve,
  type CurveDay,
  measureOver,
  nameCompared,
  toCurveDay,
  toEarlierCurve,
  toSession,
} from '#model/curve/curve-days.ts';
import { toCurveCsv } from '#model/curve/curve-csv.ts';
import { formatSettledAt } from '#model/basis/basis.ts';
import type { BasisOver } from '#model/curve/basis-over.ts';
import { type ComparedWith, CURVE_METRICS, CURVE_PARAMS, type CurveMetric } from '#model/curve/curve-params.ts';
import { describeCurve, describeEarlier, describeOver, listGaps } from '#model/curve/describe-curve.ts';
import { formatDay } from '#model/format/format-time.ts';
import type { Earlier } from '#model/markets/price-changes.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { describeOrigin, savePicture, toFileName } from '#page/kit/chart/save-picture.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { FigureGrid } from '#page/panels/figure-grid.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { SeriesControl } from '../shared/series-control.tsx';
import { type CurveSession, type DataResponse, SESSION_SECONDS, useCurveSession } from '../shared/use-curve-session.ts';
import styles from '../shared/curve.module.css';
import { CompareControl } from './compare-control.tsx';
import { createCurveColumns } from './curve-columns.ts';
import { CurveChart } from './curve-chart.tsx';
import type { DrawnCurve } from './lay-out-curve.ts';
import { OverControl, useBasisOver } from './over-control.tsx';
import { readCurveColours } from './paint-curve.ts';
import { METRIC_NAMES } from './metrics.ts';

const NO_PRODUCTS: readonly DeskProduct[] = [];

/** The settlements of all months of an underlying, and what they cost over its perpetual. */
export function CurvePanel({ underlying }: { readonly underlying: string }) {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.products({}));
  const products = data?.value.products ?? NO_PRODUCTS;
  const query = useCurveSession(products);
  return (
    <Panel
      title={`${underlying} term structure`}
      query={query}
      everySeconds={SESSION_SECONDS}
      emptyState={({ session }) => (session === null ? <NothingSettled /> : null)}
    >
      {({ session, ...read }) => session !== null && <Session {...{ products, underlying, session, ...read }} />}
    </Panel>
  );
}

function NothingSettled() {
  return (
    <EmptyState title="No month has settled yet">
      <p>The exchange has no settlement of any future. Perpdesk checks again automatically.</p>
    </EmptyState>
  );
}

interface SessionProps extends Pick<CurveSession, 'response' | 'interestMissingBecause' | 'unsettled'> {
  readonly products: readonly DeskProduct[];
  readonly underlying: string;
  readonly session: Day;
}

function Session({ products, underlying, session, unsettled, response, interestMissingBecause }: SessionProps) {
  const [series] = useUrlState(CURVE_PARAMS.series);
  const day = useMemo(
    () =>
      toCurveDay({ directory: products, underlying, baseSymbol: series, interestMissingBecause }, session, response),
    [products, underlying, series, session, response, interestMissingBecause],
  );
  if (day === null)
    return (
      <EmptyState title={`No months of ${underlying} on ${formatDay(session)}`}>
        <p>The product list has no future of {underlying} that traded in this session.</p>
      </EmptyState>
    );
  return <Day settled={day} products={products} unsettled={unsettled} />;
}

const PREVIOUS: ComparedWith = '1d';
/** Of the curves compared with. */
const EARLIER_INKS = SERIES_INKS.slice(1);

interface DayProps extends Pick<SessionProps, 'products' | 'unsettled'> {
  /** With the basis by settlements. */
  readonly settled: CurveDay;
}

function Day({ settled, products, unsettled }: DayProps) {
  const [metric, setMetric] = useUrlState(CURVE_PARAMS.metric);
  const [compared] = useUrlState(CURVE_PARAMS.compared);
  const wanted = useMemo(() => [...new Set([PREVIOUS, ...compared])], [compared]);
  const sessions = useMemo(() => wanted.map((each) => toSession(each, settled.session)), [wanted, settled.session]);
  const over = useBasisOver(settled, sessions);
  const day = useMemo(() => measureOver(settled, over), [settled, over]);
  const earlier = useEarlierCurves(day, products, { wanted, sessions });
  const shown = useMemo(() => earlier.filter(({ compared: each }) => compared.includes(each)), [earlier, compared]);
  const curves = useMemo(() => toDrawn(day, shown), [day, shown]);
  const previous = earlier.find(({ compared: each }) => each === PREVIOUS) ?? null;
  const rows = useMemo(() => addChanges(day, previous), [day, previous]);
  const since = previous === null ? '' : formatDay(previous.session);
  const isPending = previous?.curve === undefined;
  const navigator = useNavigator();
  const openInterestOf = rows.find((row) => row.openInterestOf !== null)?.openInterestOf ?? null;
  const near = over?.over ?? 'settlement';
  const columns = useMemo(
    () => createCurveColumns({ digits: day.digits, since, openInterestOf, isPending, over: near, navigator }),
    [day.digits, since, near, openInterestOf, isPending, navigator],
  );
  const canvas = useRef<HTMLCanvasElement>(null);
  const title = describeCurve(day);
  const { underlying, baseSymbol } = day.curve;
  const label = `${underlying} curve, ${baseSymbol}, ${nameMetric(metric, over)}, ${formatDay(day.session)}`;
  const save = useSave(day, `curve-${underlying}-${baseSymbol}`, () => ({
    canvas: canvas.current,
    ...{ title: label, summary: `${title}. ${describeRule(over)}` },
    legend: toPictureLegend(curves),
  }));
  const gaps = listGaps(
    curves.map(({ day: each }) => each),
    metric,
  );
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Show" choices={METRICS} value={metric} onChange={setMetric} />
        <SeriesControl curve={day.curve} />
        <CompareControl newest={day.session} />
        {settled.curve.perpetual !== null && <OverControl />}
        <span className={styles['end']}>
          <ExportMenu
            fileName={`curve-${underlying}-${baseSymbol}-${day.session}`}
            write={(form) =>
              toCurveCsv(
                curves.map(({ day: each }) => each),
                form,
              )
            }
            more={[{ label: 'PNG', remark: 'picture', run: save }]}
          />
        </span>
      </div>
      <p className={styles['headline']}>
        <strong>{title}</strong>
        <span>
          {describeSettled(day, unsettled)} {describeOver(day)} {describeEarlier(day, shown)}
        </span>
      </p>
      <div className={styles['split']}>
        <div className={styles['chart']}>
          <Drawing {...{ label, curves, metric, canvas }} summary={title} />
        </div>
        <div className={styles['table']}>
          <FigureGrid<ChangedRow>
            key={near}
            label={`${underlying} months`}
            columns={columns}
            rows={rows}
            keyOf={keyOf}
          />
        </div>
      </div>
      {gaps.length > 0 && (
        <ul className={styles['gaps']} aria-label="Not drawn">
          {gaps.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <p className={styles['foot']}>{describeRule(over)}</p>
    </>
  );
}

/** Says so where no month has the figure, rather than to show a plane without points. */
function Drawing(props: ComponentProps<typeof CurveChart>) {
  const { curves, metric } = props;
  if (curves.some(({ day }) => day.rows.some((row) => row[metric]?.value))) return <CurveChart {...props} />;
  return (
    <EmptyState title="Nothing to draw">
      <p>No month has this figure, for the reasons below.</p>
    </EmptyState>
  );
}

const METRICS = CURVE_METRICS.map((metric) => [metric, METRIC_NAMES[metric]] as const);

const A_YEAR =
  'A year: simple, actual/365, none under 3 days to expiry. Constant maturity: a price linear in time between the two ' +
  'months around it, never beyond them.';

function describeRule(over: BasisOver): string {
  if (over === null) return `Basis = settlement of a month − settlement of the perpetual of the same minute. ${A_YEAR}`;
  return (
    `Basis = settlement of a month − ${over.over} of the perpetual at the nearest funding time, which takes one more ` +
    `request. It contains what the market moved between the two times. ${A_YEAR}`
  );
}

function nameMetric(metric: CurveMetric, over: BasisOver): string {
  return over === null || metric === 'settlement' ? METRIC_NAMES[metric] : `${METRIC_NAMES[metric]} over ${over.over}`;
}

function keyOf({ key }: ChangedRow): string {
  return key;
}

function describeSettled({ rows, session }: CurveDay, unsettled: Day | null): string {
  const at = rows.find(({ kind, settlement }) => kind === 'month' && settlement !== null)?.settledAt ?? null;
  const settled = at === null ? `Session of ${formatDay(session)}.` : `Settled ${formatSettledAt(at)}.`;
  return unsettled === null ? settled : `${settled} No month has a settlement of ${formatDay(unsettled)}.`;
}

/** Not everyone can distinguish curves by their colour alone. */
function toLook(index: number): Pick<DrawnCurve, 'ink' | 'stroke'> {
  return {
    ink: EARLIER_INKS[index % EARLIER_INKS.length] ?? 'muted',
    stroke: index % 2 === 0 ? 'dashed' : 'dotted',
  };
}

function toDrawn(day: CurveDay, compared: readonly ComparedCurve[]): readonly DrawnCurve[] {
  const earlier = compared.flatMap(({ curve, ...each }, index): readonly DrawnCurve[] =>
    curve !== undefined && 'rows' in curve ? [{ day: curve, name: nameCompared(each), ...toLook(index) }] : [],
  );
  // Two choices may mean the same session.
  const bySession = new Map(earlier.toReversed().map((each) => [each.day.session, each]));
  return [
    { day, name: formatDay(day.session), ink: 'accent', stroke: 'solid' },
    ...[...bySession.values()].toReversed(),
  ];
}

/** A settled session that is not the newest does not change. */
const ONCE = { everySeconds: 86_400, purpose: 'prefetch' } as const;

interface EarlierSessions {
  readonly wanted: readonly ComparedWith[];
  /** Those that they mean. */
  readonly sessions: readonly Day[];
}

/** Reads earlier sessions of all products, each with one request, and makes their curves of the same series. */
function useEarlierCurves(
  day: CurveDay,
  directory: readonly DeskProduct[],
  { wanted, sessions }: EarlierSessions,
): readonly ComparedCurve[] {
  const { queries } = useApi();
  const read = useQueries({
    queries: sessions.map((session) => queries.venue.productDataAll({ day: session }, ONCE)),
    combine,
  });
  const { underlying, baseSymbol } = day.curve;
  const { over } = day;
  return useMemo(() => {
    const responses = read();
    return wanted.map((compared, index) => {
      const session = sessions[index] ?? day.session;
      const curve = toEarlierCurve({ directory, underlying, baseSymbol }, session, responses[index]);
      return { compared, session, curve: curve !== undefined && 'rows' in curve ? measureOver(curve, over) : curve };
    });
  }, [read, wanted, sessions, directory, underlying, baseSymbol, day.session, over]);
}

/** Returns a function, because the query library copies the changed parts of an object, and copied rows lose digits. */
function combine(results: readonly UseQueryResult<DataResponse>[]): () => readonly Earlier<readonly ProductData[]>[] {
  const earlier = results.map(toEarlier);
  return () => earlier;
}

function toEarlier({ data, error }: UseQueryResult<DataResponse>): Earlier<readonly ProductData[]> {
  return data ?? (error === null ? undefined : { missingBecause: error.message });
}

interface Picture {
  readonly canvas: HTMLCanvasElement | null;
  readonly title: string;
  readonly summary: string;
  readonly legend: readonly (Pick<DrawnCurve, 'name' | 'stroke'> & { readonly color: string })[];
}

function toPictureLegend(curves: readonly DrawnCurve[]): Picture['legend'] {
  const colours = readCurveColours(document.body);
  return curves.map(({ name, ink, stroke }) => ({ name, color: colours.of(ink), stroke }));
}

/** Returns a function that saves the chart as it is drawn, with its heading. */
function useSave({ session, source }: CurveDay, name: string, toPicture: () => Picture): () => void {
  const origin = usePictureOrigin(source);
  return () => {
    const { canvas, ...text } = toPicture();
    const ends = [session, session] as const;
    if (canvas !== null)
      savePicture(canvas, { ...text, origin: describeOrigin(origin, ends) }, `${toFileName(name, origin, ends)}.png`);
  };
}
