import { useAccessApi } from '#page/client/react/use-access-api.ts';
import type { AuditEntry, DeskAudit } from '#contract/desk/access.ts';
import { useLog } from '#page/panels/log/use-log.ts';
import { PagedPanel } from '#page/panels/log/paged-panel.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { choiceParam, textParam } from '#model/format/url-param.ts';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { AuditTable } from './audit-table.tsx';
import { AuditExport } from './audit-export.tsx';
import { KIND_CHOICES, KindChoice } from './kind-choice.tsx';
import { PersonChoice } from './person-choice.tsx';

const whoParam = textParam('who');
const kindParam = choiceParam('kind', KIND_CHOICES, '');
const PAGE = 200;

/** What was done at this Perpdesk, by whom. */
export function AuditScreen() {
  const { calls } = useAccessApi();
  const [who, setWho] = useUrlState(whoParam);
  const [kind, setKind] = useUrlState(kindParam);
  const query = useLog<DeskAudit>({
    name: 'audit',
    of: `${kind} ${who}`,
    read: (cursor, signal) =>
      calls.audit(
        { limit: PAGE, ...(who !== '' && { who }), ...(kind !== '' && { kind }), ...(cursor !== null && { cursor }) },
        { signal },
      ),
  });
  const entries: readonly AuditEntry[] = query.data?.pages.flatMap(({ value }) => value.entries) ?? [];
  return (
    <>
      <Toolbar title="Audit">
        <PersonChoice value={who} onChange={setWho} entries={entries} />
        <KindChoice value={kind} onChange={setKind} />
        <AuditExport />
      </Toolbar>
      <PagedPanel
        title="Audit log"
        query={query}
        count={entries.length}
        limits="Perpdesk keeps a limited number of entries, and drops the oldest."
        empty={<Nothing isFiltered={who !== '' || kind !== ''} />}
      >
        <AuditTable entries={entries} />
      </PagedPanel>
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState title="No entries">
      <p>
        {isFiltered
          ? 'The audit log has no entries that match.'
          : 'Perpdesk records sign-ins, reads of orders, exports and changes here.'}
      </p>
    </EmptyState>
  );
}
