import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from '#page/panels/panel-body.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import styles from '../shared/orders.module.css';
import type { ListControl } from './use-list-state.ts';

interface LinkFaceProps {
  readonly list: ListControl;
}

/** Replaces the list until its link is resolved, because showing all orders would misrepresent the link. */
export function LinkFace({ list: { link, aliases, dropUnknown } }: LinkFaceProps): ReactNode {
  if (link.is === 'unknown') return <UnknownFilter parts={link.parts} clear={dropUnknown} />;
  return aliases.error === null ? (
    <Skeleton />
  ) : (
    <ErrorState
      error={aliases.error}
      failedAt={aliases.failedAt}
      isFetching={aliases.isFetching}
      retry={aliases.read}
    />
  );
}

const TITLE = 'Unknown filter in this link';

function UnknownFilter({ parts, clear }: { readonly parts: readonly string[]; readonly clear: () => void }) {
  const text = `The link filters by ${toNames(parts)}, but Perpdesk has read no order with a matching code.`;
  useAnnounced(`${TITLE}. ${text}`);
  return (
    <EmptyState title={TITLE}>
      <p>
        {text} The link may come from another Perpdesk, or from one that sees other accounts. No orders are shown,
        because showing all of them would ignore that filter.
      </p>
      <button type="button" onClick={clear}>
        Clear unknown filter
      </button>
    </EmptyState>
  );
}

/** Names the filters that stay in this tab because links omit them. */
export function HeldFilters({ list: { held, aliases } }: LinkFaceProps): ReactNode {
  if (held.length === 0 || (aliases.table === null && aliases.error === null)) return null;
  return (
    <p className={styles['caption']}>
      The filter by {toNames(held)} applies in this tab only: links omit it, since Perpdesk has read no order with a
      matching code.
    </p>
  );
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['account', 'account'],
  ['firm', 'clearing firm'],
  ['connection', 'connection'],
  ['quick', 'text'],
]);

function toNames(parts: readonly string[]): string {
  return new Intl.ListFormat('en').format(parts.map((part) => NAMES.get(part) ?? 'something else'));
}
