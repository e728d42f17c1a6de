import { NotBelieved } from '#ui/panel/not-believed.tsx';
import { Nothing } from '#ui/panel/panel-body.tsx';
import type { WorkingSnapshot } from './use-working.ts';

/** What stands in place of a list without a row. That nothing rests is said only where it is proven. */
export function NoOrders({ shown: { proof, setAside, deviations } }: { readonly shown: WorkingSnapshot }) {
  if (proof.complete) {
    return (
      <Nothing title="No working orders">
        <p>Nothing of yours rests in the market. The page asks again by itself.</p>
      </Nothing>
    );
  }
  if (setAside > 0) {
    return (
      <NotBelieved noun="order" count={setAside} deviations={deviations ?? []}>
        <p>What of yours rests in the market is not known. The page asks again by itself.</p>
      </NotBelieved>
    );
  }
  return (
    <Nothing title="No order could be read">
      <p>What was read is empty, and it is not proven to be all: orders of yours may rest in the market. The page asks again by itself.</p>
    </Nothing>
  );
}
