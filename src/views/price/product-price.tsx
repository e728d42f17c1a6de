import { memo, useDeferredValue, useMemo } from 'react';
import { toAskedRange, type AskedRange } from '#domain/chosen-range.ts';
import { expiredOn } from '#domain/expiry.ts';
import { latestSessionOf } from '#domain/session.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { NotBelieved } from '#ui/panel/not-believed.tsx';
import { Nothing } from '#panels/panel-body.tsx';
import { Panel } from '#panels/panel.tsx';
import { useFromChoice } from '#ui/time/use-now.tsx';
import { useSameParts } from '#ui/use-same-parts.ts';
import { ComparisonChart } from './compare/comparison-chart.tsx';
import type { NamedProduct } from '#domain/find-product.ts';
import type { FactQuery } from './header/fact-problems.tsx';
import { PriceChart } from './chart/price-chart.tsx';
import { toPriceFacts } from './header/price-facts.ts';
import { PriceHeader } from './header/price-header.tsx';
import { PRICE_PARAMS, USUAL_RANGE } from './price-params.ts';
import { usePriceResponses } from './use-price-responses.ts';

/** How often the desk reads daily figures again. */
const EVERY_SECONDS = 60;

interface ProductPriceProps {
  readonly named: NamedProduct;
  /** The one it is compared with. */
  readonly other: NamedProduct | null;
}

/** One product's figures and chart. What belongs together waits together: never one product's name above another's prices. */
export function ProductPrice({ named, other }: ProductPriceProps) {
  const [range] = useUrlState(PRICE_PARAMS.range);
  const [bars] = useUrlState(PRICE_PARAMS.period);
  const period = other === null ? bars : '1D';
  const end = expiredOn(named.product);
  const today = useFromChoice(JSON.stringify([named.id, range, end]), (now) => end ?? latestSessionOf(now));
  const asked = useMemo(() => toAskedRange(range, today, period), [range, today, period]);
  const answers = usePriceResponses(named, asked, 'from' in range ? toAskedRange(USUAL_RANGE, today, period) : asked);
  const body = useSameParts({ named, other, asked, all: 'name' in range && range.name === 'All', ...answers });
  return <PriceBody {...useDeferredValue(body)} />;
}

interface PriceBodyProps extends ProductPriceProps, PriceAnswers {
  readonly asked: AskedRange;
  /** Whether that is all there is. */
  readonly all: boolean;
}

const PriceBody = memo(function PriceBody({ named, other, asked, all, data, prices, voi, pricesNow, voiNow, stats, funding }: PriceBodyProps) {
  const [, setRange] = useUrlState(PRICE_PARAMS.range);
  const showAll = (): void => {
    setRange({ name: 'All' });
  };
  return (
    <>
      <PriceHeader
        named={named}
        facts={toPriceFacts(named, { data: data.data, prices: pricesNow.data, arePricesAll: all, voi: voiNow.data, stats: stats.data, funding: funding.data })}
        waiting={[data, pricesNow, voiNow, stats, funding].some(({ data: answer, error, isFetching }) => isFetching && answer === undefined && error === null)}
        parts={toFactsParts({ data, prices, pricesNow, voiNow, stats, funding })}
      />
      {other !== null ? (
        <ComparisonChart named={named} other={other} prices={prices} asked={asked} everySeconds={EVERY_SECONDS} />
      ) : (
        <Panel
          fills
          title={`${named.name}, prices`}
          query={prices}
          everySeconds={EVERY_SECONDS}
          besides={[data.data, voi.data, pricesNow.data, voiNow.data, stats.data, funding.data]}
          emptiness={({ value, setAside, deviations }) => {
            if (value.length > 0) return null;
            return setAside.length > 0 ? <NotBelieved noun="session" count={setAside.length} deviations={deviations} /> : <NoSessions name={named.name} showAll={showAll} all={all} />;
          }}
        >
          {(answer) => <PriceChart named={named} prices={answer} voi={voi} subject={JSON.stringify([named.id, asked])} />}
        </Panel>
      )}
    </>
  );
});

type PriceAnswers = ReturnType<typeof usePriceResponses>;

/** Of the prices that the chart is drawn from its panel tells. */
function toFactsParts({ data, prices, pricesNow, voiNow, stats, funding }: Omit<PriceAnswers, 'voi'>): readonly FactQuery[] {
  const ofChart = prices.data === pricesNow.data && prices.error === pricesNow.error;
  return [
    { name: 'Last', query: data },
    ...(ofChart ? [] : [{ name: 'Last settlement', query: pricesNow }]),
    { name: '24 h volume', query: stats },
    { name: 'Open interest', query: voiNow },
    { name: 'Funding mark', query: funding },
  ];
}

interface NoSessionsProps {
  readonly name: string;
  readonly all: boolean;
  readonly showAll: () => void;
}

function NoSessions({ name, all, showAll }: NoSessionsProps) {
  return (
    <Nothing title={all ? `${name} has not traded yet` : 'No session traded in this range'}>
      <p>{all ? 'The venue has no daily prices of it.' : 'The venue has no daily prices of it between these dates.'}</p>
      {!all && (
        <button type="button" onClick={showAll}>
          Show all there is
        </button>
      )}
    </Nothing>
  );
}
