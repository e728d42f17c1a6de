/** The comparison's chart, with its legend, as the screen mounts it. */
import { createRoot } from 'react-dom/client';
import { ChartFrame } from '../../../../src/page/kit/chart/chart-frame.tsx';
import { RatesChart } from '../../../../src/page/screens/funding/compare/rates-chart.tsx';
import { INTERVALS, SETTLED_TO } from '../prints.ts';
import { isDrawn, present } from '../stage.ts';
import { Around } from './around.tsx';
import { createPerpetuals } from './perpetuals.ts';

const perpetuals = createPerpetuals();
const window = {
  id: 'custom',
  label: '5 years',
  from: SETTLED_TO - INTERVALS * 8 * 3_600_000,
  to: SETTLED_TO,
} as const;
const source = {
  endpoint: 'desk/funding',
  target: '/api/desk/funding',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: null,
  cache: 'computed',
  requestId: null,
} as const;
const nothing = (): void => undefined;
const empty = { times: [], timeName: '', timeText: () => '', panes: [], readouts: [] };

// Loads the library before the clock starts, as the bare chart does.
const aside = document.createElement('div');
document.body.append(aside);
const warm = createRoot(aside);
warm.render(
  <Around>
    <ChartFrame
      label=""
      summary=""
      chartData={empty}
      subject=""
      scale="linear"
      view="chart"
      onView={nothing}
      fileName=""
      exports={{ fileName: '', write: () => '' }}
    />
  </Around>,
);
await new Promise((resolve) => setTimeout(resolve, 1_500));
warm.unmount();
aside.remove();

present((root) => {
  createRoot(root).render(
    <Around>
      <RatesChart
        perpetuals={perpetuals}
        listed={perpetuals}
        window={window}
        anchor={SETTLED_TO}
        form="interval"
        side="market"
        charted=""
        all={[]}
        source={source}
      />
    </Around>,
  );
}, isDrawn);
