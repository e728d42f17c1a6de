import { useAccessApi } from '#api/react/use-access-api.ts';
import type { AuditEntry, DeskAudit } from '#contract/desk-access.ts';
import { useLog } from '#panels/log/use-log.ts';
import { PagedPanel } from '#panels/log/paged-panel.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { textParam } from '#ui/navigation/url-param.ts';
import { Toolbar } from '#ui/toolbar.tsx';
import { AuditTable } from './audit-table.tsx';
import { AuditExport } from './audit-export.tsx';
import { PersonChoice } from './person-choice.tsx';

const whoParam = textParam('who');
const PAGE = 200;

/** What was done at this Perpdesk, by whom. */
export function AuditScreen() {
  const { calls } = useAccessApi();
  const [who, setWho] = useUrlState(whoParam);
  const query = useLog<DeskAudit>({
    name: 'audit',
    of: who,
    read: (cursor, signal) => calls.audit({ limit: PAGE, ...(who !== '' && { who }), ...(cursor !== null && { cursor }) }, { signal }),
  });
  const entries: readonly AuditEntry[] = query.data?.pages.flatMap(({ value }) => value.entries) ?? [];
  return (
    <>
      <Toolbar title="Audit">
        <PersonChoice value={who} onChange={setWho} entries={entries} />
        <AuditExport />
      </Toolbar>
      <PagedPanel title="Audit log" query={query} count={entries.length} limits="Perpdesk keeps a limited number of entries, and drops the oldest." empty={<Nothing isFiltered={who !== ''} />}>
        <AuditTable entries={entries} />
      </PagedPanel>
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState title="No entries">
      <p>{isFiltered ? 'The audit log has no entries of this person.' : 'Perpdesk records sign-ins, reads of orders, exports and changes here.'}</p>
    </EmptyState>
  );
}
