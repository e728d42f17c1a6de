/** The heatmap of all perpetuals, half a year. */
import { createRoot } from 'react-dom/client';
import { listBoundaries } from '../../../../src/domain/funding/funding-window.ts';
import { Heatmap } from '../../../../src/views/funding/heatmap.tsx';
import { SETTLED_TO } from '../prints.ts';
import { isDrawn, present } from '../stage.ts';
import { Around } from './around.tsx';
import { createPerpetuals } from './perpetuals.ts';

const perpetuals = createPerpetuals();
const boundaries = listBoundaries({ from: SETTLED_TO - 540 * 8 * 3_600_000, to: SETTLED_TO }, SETTLED_TO);

present((root) => {
  createRoot(root).render(
    <Around>
      <Heatmap perpetuals={perpetuals} boundaries={boundaries} side="market" explain={() => []} />
    </Around>,
  );
}, isDrawn);
