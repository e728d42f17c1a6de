/** The heatmap of all perpetuals, half a year. */
import { createRoot } from 'react-dom/client';
import { toHeatCells } from '../../../../src/domain/funding/heat-cells.ts';
import { listBoundaries } from '../../../../src/domain/funding/funding-window.ts';
import { Heatmap } from '../../../../src/views/funding/heatmap.tsx';
import { summariseHeat } from '../../../../src/views/funding/summarise-heat.ts';
import { SETTLED_TO } from '../prints.ts';
import { isDrawn, present } from '../stage.ts';
import { Around } from './around.tsx';
import { createPerpetuals } from './perpetuals.ts';

const perpetuals = createPerpetuals();
const boundaries = listBoundaries({ from: SETTLED_TO - 540 * 8 * 3_600_000, to: SETTLED_TO }, SETTLED_TO);

const source = { endpoint: 'desk/funding', target: '/api/desk/funding', answeredAt: null, receivedAt: 0, ageSeconds: null, cache: 'desk', requestId: null } as const;

present((root) => {
  const rows = perpetuals.map(({ series }) => toHeatCells(series, boundaries));
  const summary = summariseHeat({ perpetuals, rows, boundaries, side: 'market', timeText: (at) => new Date(at).toISOString() });
  createRoot(root).render(
    <Around>
      <Heatmap label="Who paid, by interval" side="market" {...{ summary, perpetuals, rows, boundaries, source }} />
    </Around>,
  );
}, isDrawn);
