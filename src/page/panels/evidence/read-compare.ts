import type { ApiResponse } from '#model/response.ts';
import type { Api } from '#page/client/create-api.ts';
import { ProblemError } from '#page/client/errors.ts';
import { ifOffered } from '#page/client/read-daily.ts';
import { toEstimates } from '#page/client/to-estimates.ts';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { EvidenceContent, EvidenceSubject } from '#model/evidence/evidence.ts';
import { keepOutdated, listOutdated, markEnded, type Estimates } from '#model/funding/estimate.ts';
import { type FundingSide, type RateForm, toWindowEnd } from '#model/funding/funding-rate.ts';
import { findNewestFundingTime } from '#model/funding/funding-window.ts';
import type { ChosenRange } from '#model/time/date-range.ts';
import { toDueTimes } from '#model/time/overdue.ts';
import { toMillis } from '#model/time/session.ts';
import { toEvidenceRows, type Pause } from './evidence-rows.ts';
import type { EvidenceReader } from './make-evidence.ts';
import { pickColumns } from '#model/tables/shown-columns.ts';
import { arrangeRows, orderRows } from '#model/tables/arrange-rows.ts';
import type { SortLevel } from '#model/tables/grid.ts';
import { createCompareColumns } from '#model/tables/funding/compare-columns.ts';
import {
  comparePredictedRates,
  toPredictedRatesBegin,
  UNREAD_PREDICTED_RATES,
} from '#model/tables/funding/compare-predictions.ts';
import { toCompareTable } from '#model/tables/funding/compare-csv.ts';
import { describeRanking, type RankedRow, rankRows, toCompareRows } from '#model/tables/funding/compare-row.ts';
import { PREDICTED_RATE_COLUMNS, type RankBy } from '#model/tables/funding/compare-params.ts';
import { toPerpetualSeries } from '#model/funding/funding-series.ts';
import { type Past, toChosenWindow, toNamedWindows } from '#model/tables/funding/realised.ts';
import { toCompareConversions, toCompareProof } from '#model/tables/funding/compare-proof.ts';

export interface CompareSubject extends EvidenceSubject {
  readonly screen: 'funding';
  readonly begin_time: Instant;
  readonly range: ChosenRange;
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly rank_by: RankBy;
  /** Absent in evidence of versions that compared no windows. */
  readonly past?: Past;
  /** Symbols of the perpetuals that the filter matched; null or absent for all. */
  readonly perpetuals?: readonly string[] | null;
  readonly sorts: readonly SortLevel[];
  /** The columns shown, from left to right. */
  readonly columns: readonly string[];
  /** Epoch milliseconds by the browser’s clock and by the exchange’s, which is null while unknown. */
  readonly at: number;
  readonly venue_at: number | null;
}

export const compareReader: EvidenceReader<CompareSubject> = { read };

/** Computes the funding of all perpetuals, in the order of the table. */
async function read(api: Api, subject: CompareSubject, pause: Pause): Promise<EvidenceContent> {
  const { range, form, side, rank_by: rankBy, past = '90d', perpetuals: listed = null, sorts } = subject;
  const [response, voi] = await Promise.all([
    api.desk.funding({ begin_time: subject.begin_time }),
    ifOffered(api.venue.chartVoi({})),
  ]);
  const predicted = await readEstimates(
    api,
    response.value.perpetuals.map(({ base_symbol: symbol }) => symbol),
  );
  await pause();
  const due = subject.venue_at === null ? null : toDueTimes(subject.venue_at);
  const dueTo = due === null ? null : toMillis(due.fundingRates.newest);
  const perpetuals = toPerpetualSeries(response, dueTo);
  const endsAt = toWindowEnd(findNewestFundingTime(perpetuals.map(({ series }) => series)), dueTo);
  const [windows, chosen] = [toNamedWindows(endsAt), toChosenWindow(range, endsAt)];
  const estimates = markEnded(
    keepOutdated(predicted.estimates, listOutdated(predicted.estimates, subject.at)),
    due?.fundingEstimated ?? null,
  );
  const ranked = rankRows(
    toCompareRows(perpetuals, { funding: response, voi, estimates, windows, chosen, past, form, side, due }),
    rankBy,
    side,
  );
  const { missingBecause } = predicted;
  const predictedRates = subject.columns.some((id) => PREDICTED_RATE_COLUMNS.includes(id))
    ? comparePredictedRates(
        perpetuals,
        await api.desk.estimates({ begin_time: toPredictedRatesBegin(chosen), near_points: true }),
        response,
        chosen,
      )
    : UNREAD_PREDICTED_RATES;
  const columns = createCompareColumns({
    form,
    side,
    windows,
    chosen,
    past,
    rankBy,
    predictedRates,
    missingBecause,
    awaitsInterest: false,
    underlyingOf: () => '',
    source: response,
    isPicked: () => false,
    ...toClock(subject),
  });
  const all = arrange(ranked, columns, sorts);
  const rows = all.filter(({ symbol }) => listed?.includes(symbol) !== false);
  const table = toCompareTable(rows, { side, rankBy, source: response, missingBecause, predictedRates });
  const lineOf = new Map(rows.map((row, place) => [row, table.lines[place] ?? []]));
  return {
    filters: [
      `Window: ${chosen.label}`,
      `Ranked by ${describeRanking(rankBy, chosen)}`,
      `Signs: ${side}`,
      ...(listed === null ? [] : [`Perpetuals: ${listed.join(', ')}`]),
    ],
    ...(await toEvidenceRows({
      rows,
      columns: pickColumns(columns, subject.columns),
      heading: table.heading,
      toCells: (row) => lineOf.get(row) ?? [],
      pause,
    })),
    totals: null,
    proof: toCompareProof(response, all, predicted.failures),
    conversions: toCompareConversions(rows, subject),
  };
}

function arrange(
  ranked: readonly RankedRow[],
  columns: ReturnType<typeof createCompareColumns>,
  sorts: readonly SortLevel[],
): readonly RankedRow[] {
  const arrangement = { sorts, grouping: [], filters: {}, quick: '' };
  const parts = {
    rows: ranked,
    columns,
    keyOf: ({ symbol }: RankedRow) => symbol,
    arrangement,
    closed: new Set<string>(),
    isCounted: () => true,
  };
  return arrangeRows(parts, orderRows(ranked, columns, arrangement, parts.isCounted)).matching();
}

function toClock({ at, venue_at: venueAt }: CompareSubject) {
  return { clock: { read: () => at, subscribe: () => () => undefined }, toVenueTime: () => venueAt ?? at };
}

interface ReadEstimates {
  readonly estimates: Estimates;
  readonly missingBecause: string | null;
  /** A sentence for each predicted rate that could not be read. */
  readonly failures: readonly string[];
}

type EstimateResponse = ApiResponse<EstimatedFundingRateData>;

/** Reads predicted rates. Like the screen, evidence has rows without a predicted rate if it cannot be read. */
async function readEstimates(api: Api, symbols: readonly string[]): Promise<ReadEstimates> {
  const read = await Promise.all(
    symbols.map(async (symbol) => ({
      symbol,
      ...(await readEstimate(api.venue.fundingEstimated({ base_symbol: symbol }))),
    })),
  );
  return {
    estimates: new Map(read.flatMap(({ symbol, data, error }) => [...toEstimates(symbol, { data, error })])),
    missingBecause: read.find(({ error }) => error !== null)?.error?.message ?? null,
    failures: read.flatMap(({ symbol, error }) => (error === null ? [] : [`${symbol}: ${error.message}`])),
  };
}

async function readEstimate(
  reading: Promise<EstimateResponse>,
): Promise<{ readonly data: EstimateResponse | undefined; readonly error: Error | null }> {
  try {
    return { data: await reading, error: null };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { data: undefined, error };
  }
}
