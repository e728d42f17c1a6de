import { AUDIT_KINDS, type AuditEntry, type DeskAudit } from '#contract/desk/access.ts';
import { formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from '../shared/access.module.css';
import { useId } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import { PagedPanel, useLog } from '#page/panels/log-panel.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { choiceParam, textParam } from '#model/format/url-param.ts';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { AuditExport } from './audit-export.tsx';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'No.', numeric: true, cell: ({ number }) => formatCount(number) },
  { name: 'Time', cell: ({ at }) => <Timestamp at={at} /> },
  { name: 'Who', cell: ({ name }) => <span className={styles['short']}>{name === '' ? NO_VALUE : name}</span> },
  {
    name: 'What',
    cell: ({ kind }) =>
      kind.includes('refused') ? (
        <StatusBadge state="bad">{kind}</StatusBadge>
      ) : (
        <span className={styles['short']}>{kind}</span>
      ),
  },
  { name: 'Detail', cell: ({ detail }) => <span className={styles['wide']}>{detail}</span> },
  {
    name: 'Filter',
    cell: ({ filter }) => (filter === '' ? NO_VALUE : <code className={styles['filter']}>{filter}</code>),
  },
  { name: 'Rows', numeric: true, cell: ({ rows }) => (rows === null ? NO_VALUE : formatCount(rows)) },
  {
    name: 'Address',
    cell: ({ address }) => <span className={styles['code']}>{address === '' ? NO_VALUE : address}</span>,
  },
  {
    name: 'Hash',
    cell: ({ hash }) => (
      <code className={styles['code']} title={hash}>
        {hash.slice(0, 12)}…
      </code>
    ),
  },
];

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table caption="Audit log, newest first" columns={COLUMNS} rows={entries} keyOf={({ number }) => String(number)} />
  );
}

interface LogChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** Narrows the log to one value. */
function LogChoice({ label, value, options, onChange }: LogChoiceProps) {
  const id = useId();
  return (
    <label htmlFor={id} className={styles['actions']}>
      {label}{' '}
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type KindOrAll = (typeof KIND_CHOICES)[number];

/** The empty choice stands for entries of all kinds. */
const KIND_CHOICES = ['', ...AUDIT_KINDS] as const;

const OPTIONS = KIND_CHOICES.map((kind) => [kind, kind === '' ? 'Everything' : kind] as const);

interface KindChoiceProps {
  readonly value: KindOrAll;
  readonly onChange: (kind: KindOrAll) => void;
}

function KindChoice({ value, onChange }: KindChoiceProps) {
  return (
    <LogChoice
      label="What"
      value={value}
      options={OPTIONS}
      onChange={(chosen) => {
        onChange(KIND_CHOICES.find((kind) => kind === chosen) ?? '');
      }}
    />
  );
}

interface PersonChoiceProps {
  readonly value: string;
  readonly onChange: (who: string) => void;
  readonly entries: readonly AuditEntry[];
}

/** Offers all present people, and those found only in the loaded entries: deleted people and tokens. */
function PersonChoice({ value, onChange, entries }: PersonChoiceProps) {
  const { queries } = useAccessApi();
  const people = useQuery(queries.people()).data?.value.people ?? [];
  const names = new Map([
    ...entries.map(({ who, name }) => [who, name] as const),
    ...people.map((person) => [person.id, person.name] as const),
  ]);
  if (value !== '' && !names.has(value)) names.set(value, value);
  const choices = [...names].filter(([who]) => who !== '').toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));
  return <LogChoice label="Who" value={value} options={[['', 'Everyone'], ...choices]} onChange={onChange} />;
}

const whoParam = textParam('who');
const kindParam = choiceParam('kind', KIND_CHOICES, '');
const PAGE = 200;

/** Lists who did what at this Perpdesk. */
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
