/** The heatmap of all perpetuals, half a year. */
import { createRoot } from 'react-dom/client';
import { toHeatmapCells } from '../../../../src/model/funding/heatmap-cells.ts';
import { listFundingTimes } from '../../../../src/model/funding/funding-window.ts';
import { FundingHeatmap } from '../../../../src/page/screens/funding/heatmap/funding-heatmap.tsx';
import { summariseHeatmap } from '../../../../src/model/tables/funding/heatmap.ts';
import { SETTLED_TO } from '../prints.ts';
import { isDrawn, present } from '../stage.ts';
import { Around } from './around.tsx';
import { createPerpetuals } from './perpetuals.ts';

const perpetuals = createPerpetuals();
const fundingTimes = listFundingTimes({ from: SETTLED_TO - 540 * 8 * 3_600_000, to: SETTLED_TO }, SETTLED_TO);

const source = {
  endpoint: 'desk/funding',
  target: '/api/desk/funding',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: null,
  cache: 'computed',
  requestId: null,
} as const;

present((root) => {
  const rows = perpetuals.map(({ series }) => toHeatmapCells(series, fundingTimes));
  const summary = summariseHeatmap({
    perpetuals,
    rows,
    fundingTimes,
    side: 'market',
    timeText: (at) => new Date(at).toISOString(),
  });
  createRoot(root).render(
    <Around>
      <FundingHeatmap label="Funding heatmap" side="market" {...{ summary, perpetuals, rows, fundingTimes, source }} />
    </Around>,
  );
}, isDrawn);
