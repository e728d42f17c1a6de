import { countOf } from '#model/format/count.ts';
import { formatRate } from '#model/format/number.ts';
import type { CarryPosition } from '#model/funding/carry.ts';
import type { CarryAhead } from '#model/funding/carry-ahead.ts';
import { FigureFact } from '../figure-fact.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { explainExactly, formatPayment, toPredictedFigure } from '#model/tables/funding/carry-figures.ts';
import styles from '../perpetual.module.css';

interface CarryAheadFactsProps {
  readonly data: PerpetualData;
  readonly position: CarryPosition;
  readonly ahead: CarryAhead;
}

/** What holding on would cost or bring if a rate stayed: outlined, as nothing of it has settled. */
export function CarryAheadFacts({
  data,
  position,
  ahead: { intervals, isOfPeriod, atPredicted, mean },
}: CarryAheadFactsProps) {
  const last = data.series.prints.at(-1)?.row;
  if (last === undefined) return null;
  const many = countOf(intervals, 'interval');
  const explain = (how: string, value: typeof atPredicted) => () =>
    explainExactly(
      toPredictedFigure(
        data,
        position,
        last,
        value,
        `Assumption, no forecast: ${how} × contracts × contract size × price at the last funding time × ${many}`,
      ),
    );
  return (
    <dl className={styles['estimate']} data-testid="carry-ahead">
      <div>
        <dt>If the rate stayed</dt>
        <dd>{isOfPeriod ? `rest of the period, ${many}` : `next 30 d, ${many}`}</dd>
      </div>
      <FigureFact
        name="◇ At the predicted rate"
        unit="USD"
        text={formatPayment(atPredicted)}
        provenance={explain('predicted rate', atPredicted)}
      />
      <FigureFact
        name="◇ At the 30 d mean"
        unit="USD"
        text={formatPayment(mean?.payment ?? null)}
        provenance={explain(
          `mean of the ${countOf(mean?.prints ?? 0, 'settled rate')} of the last 30 days`,
          mean?.payment ?? null,
        )}
      >
        {mean === null ? '' : `${formatRate(mean.rate)} % per 8 h; an assumption, not in the sum`}
      </FigureFact>
    </dl>
  );
}
