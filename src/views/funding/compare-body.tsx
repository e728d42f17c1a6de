import { useId, useMemo } from 'react';
import type { ReactNode } from 'react';
import type { Answer } from '#api/answer.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { CompareFooter } from './compare-footer.tsx';
import { CompareGrid } from './compare-grid.tsx';
import { COMPARE_PARAMS } from './compare-params.ts';
import { toCompareRows, type Perpetual } from './compare-row.ts';
import { HeatPanel } from './heat-panel.tsx';
import { Notices } from './notices.tsx';
import { firstToLast, RANK_WORDS, rankRows } from './ranks.ts';
import { RatesChart } from './rates-chart.tsx';
import { SpreadChart } from './spread-chart.tsx';
import type { CompareAnswers } from './use-compare-answers.ts';
import { useCompareGrid } from './use-compare-grid.ts';
import { toChosenWindow, toNamedWindows } from './windows.ts';
import styles from './funding.module.css';

interface CompareBodyProps {
  readonly answer: Answer<DeskFunding>;
  readonly answers: CompareAnswers;
  readonly perpetuals: readonly Perpetual[];
  /** The newest settled boundary of any: windows end there. */
  readonly settledTo: number;
}

/** How many are drawn where the reader has picked none: more lines than these are hard to follow. */
const DRAWN_BY_ITSELF = 5;

export function CompareBody({ answer, answers, perpetuals, settledTo }: CompareBodyProps) {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const [form] = useUrlState(COMPARE_PARAMS.form);
  const [side] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  const [picked] = useUrlState(COMPARE_PARAMS.picked);
  const windows = useMemo(() => toNamedWindows(settledTo), [settledTo]);
  const chosen = useMemo(() => toChosenWindow(range, windows, settledTo) ?? { id: 'custom' as const, label: 'Chosen', from: settledTo, to: settledTo }, [range, windows, settledTo]);
  const { voi, estimates } = answers;
  const compared = useMemo(
    () => toCompareRows(perpetuals, { funding: answer, voi: voi.data, estimates, windows, chosen, form, side }),
    [perpetuals, answer, voi.data, estimates, windows, chosen, form, side],
  );
  const rows = useMemo(() => rankRows(compared, rankBy), [compared, rankBy]);
  const arranged = useCompareGrid({ rows, form, windows, chosen });
  const order = arranged.sorted.map(({ symbol }) => symbol).join();
  const ordered = useMemo(() => inOrder(perpetuals, order.split(',')), [perpetuals, order]);
  const first = useMemo(() => firstToLast(rows), [rows]);
  const drawn = useMemo(() => {
    const chosenOnes = perpetuals.filter(({ symbol }) => picked.includes(symbol));
    return chosenOnes.length > 0 ? chosenOnes : first.slice(0, DRAWN_BY_ITSELF);
  }, [perpetuals, picked, first]);
  const none = !perpetuals.some(({ symbol }) => picked.includes(symbol));
  const usual = (none ? [first[0], first.at(-1)] : drawn).flatMap((perpetual) => perpetual?.symbol ?? []);
  return (
    <>
      <Notices perpetuals={perpetuals} answers={answers} />
      <CompareGrid arranged={arranged} parts={{ form, side, source: answer }} rankedBy={RANK_WORDS[rankBy]} />
      <CompareFooter rows={rows} chosen={chosen} />
      <Region title="Who paid, by interval" of={answer}>
        <HeatPanel perpetuals={ordered} settledTo={settledTo} side={side} answer={answer} />
      </Region>
      <Region title={`Over ${chosen.label}`} of={answer}>
        <RatesChart
          perpetuals={drawn}
          window={chosen}
          anchor={settledTo}
          side={side}
          source={answer}
          chosenBy={none ? `the ${String(drawn.length)} ranked first, since none is ticked in the table` : null}
        />
      </Region>
      <Region title={`Spread over ${chosen.label}`} of={answer}>
        <SpreadChart perpetuals={perpetuals} window={chosen} anchor={settledTo} source={answer} usual={usual} />
      </Region>
    </>
  );
}

function inOrder(perpetuals: readonly Perpetual[], order: readonly string[]): readonly Perpetual[] {
  const bySymbol = new Map(perpetuals.map((perpetual) => [perpetual.symbol, perpetual]));
  return order.flatMap((symbol) => bySymbol.get(symbol) ?? []);
}

interface RegionProps {
  readonly title: string;
  /** The answer that it is drawn from. */
  readonly of: unknown;
  readonly children: ReactNode;
}

function Region({ title, of, children }: RegionProps) {
  const id = useId();
  return (
    <section className={styles['region']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ErrorBoundary level={3} of={of}>
        {children}
      </ErrorBoundary>
    </section>
  );
}
