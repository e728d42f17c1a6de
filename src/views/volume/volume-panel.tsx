import { memo, useDeferredValue, useMemo } from 'react';
import { toAskedRange, type AskedRange } from '#domain/chosen-range.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { latestSessionOf } from '#domain/session.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { NotBelieved, type NotBelievedProps } from '#ui/panel/not-believed.tsx';
import { Nothing } from '#panels/panel-body.tsx';
import type { PanelQuery } from '#panels/panel-query.ts';
import { Panel } from '#panels/panel.tsx';
import { useFromChoice } from '#ui/time/use-now.tsx';
import { useSameParts } from '#ui/use-same-parts.ts';
import type { VoiResponse } from './use-voi.ts';
import { usePerProduct, useTotal } from './use-voi.ts';
import { VolumeChart } from './chart/volume-chart.tsx';
import { VOLUME_PARAMS } from './volume-params.ts';

/** How often the desk reads daily figures again. */
const EVERY_SECONDS = 60;

interface VolumePanelProps {
  readonly products: readonly NamedProduct[];
  readonly name: string;
}

/** The chosen products' chart. What belongs together waits together: never one choice's name above another's figures. */
export function VolumePanel({ products, name }: VolumePanelProps) {
  const [range] = useUrlState(VOLUME_PARAMS.range);
  const [chosen] = useUrlState(VOLUME_PARAMS.shown);
  const [bars] = useUrlState(VOLUME_PARAMS.period);
  const today = useFromChoice(JSON.stringify([products.map(({ id }) => id), range]), latestSessionOf);
  const shown = products.length > 1 ? chosen : 'total';
  const period = shown === 'stacked' ? '1D' : bars;
  const asked = useMemo(() => toAskedRange(range, today, period), [range, today, period]);
  const total = useTotal(products, asked, shown === 'total');
  const each = usePerProduct(products, asked, shown === 'stacked');
  const query = shown === 'total' ? total : each;
  const body = useSameParts({ products, name, shown, asked, all: 'name' in range && range.name === 'All', query });
  return <VolumeBody {...useDeferredValue(body)} />;
}

interface VolumeBodyProps extends Pick<VolumePanelProps, 'products' | 'name'> {
  readonly shown: 'total' | 'stacked';
  readonly asked: AskedRange;
  /** Whether that is all there is. */
  readonly all: boolean;
  readonly query: PanelQuery<VoiResponse>;
}

const VolumeBody = memo(function VolumeBody({ products, name, shown, asked, all, query }: VolumeBodyProps) {
  const [, setRange] = useUrlState(VOLUME_PARAMS.range);
  const showAll = (): void => {
    setRange({ name: 'All' });
  };
  return (
    <Panel
      fills
      title={`${name}, volume and open interest`}
      query={query}
      everySeconds={EVERY_SECONDS}
      emptiness={(answer) => {
        const doubted = findDoubted(answer, products);
        if (doubted !== null) return <NotBelieved {...doubted} />;
        return answer.value.length === 0 ? <NoRows all={all} showAll={showAll} /> : null;
      }}
    >
      {(answer) => <VolumeChart {...{ answer, products, name, shown }} subject={JSON.stringify([products.map(({ id }) => id), asked, shown])} />}
    </Panel>
  );
});

/** The answer of which nothing is to be believed: without it a stack would be too low on every day. */
function findDoubted({ each, ...joined }: VoiResponse, products: VolumePanelProps['products']): NotBelievedProps | null {
  const answers = each ?? [joined];
  const at = answers.findIndex(({ value, setAside }) => value.length === 0 && setAside.length > 0);
  const doubted = answers[at];
  if (doubted === undefined) return null;
  return { noun: each === undefined ? 'session' : `session of ${products[at]?.name ?? ''}`, count: doubted.setAside.length, deviations: doubted.deviations };
}

function NoRows({ all, showAll }: { readonly all: boolean; readonly showAll: () => void }) {
  return (
    <Nothing title={all ? 'No session has settled yet' : 'No session settled in this range'}>
      <p>{all ? 'The venue has no daily figures of it.' : 'The venue has no daily figures of it between these dates.'}</p>
      {!all && (
        <button type="button" onClick={showAll}>
          Show all there is
        </button>
      )}
    </Nothing>
  );
}
