import type { Person } from '#contract/desk/access.ts';
import { formatCount } from '#model/format/count.ts';
import { describeScope } from '#model/access/describe-scope.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { describeWays } from './describe-ways.ts';
import styles from '../shared/access.module.css';

interface PeopleTableProps {
  readonly people: readonly Person[];
  readonly managed: boolean;
  readonly open: (id: string) => void;
}

export function PeopleTable({ people, managed, open }: PeopleTableProps) {
  const keepsSessions = people.some(({ sessions }) => sessions !== null);
  const columns: readonly Column<Person>[] = [
    {
      name: 'Name',
      pinned: 'start',
      cell: ({ id, name }) => (
        <button
          type="button"
          className={styles['name']}
          aria-haspopup="dialog"
          onClick={() => {
            open(id);
          }}
        >
          {name}
        </button>
      ),
    },
    { name: 'State', cell: (person) => <PersonState person={person} /> },
    { name: 'Roles', cell: ({ roles }) => (roles.length === 0 ? 'none' : roles.join(', ')) },
    { name: 'Scope', cell: (person) => <span className={styles['wide']}>{describeScope(person)}</span> },
    ...(managed ? [{ name: 'Signs in with', cell: (person: Person) => describeWays(person) }] : []),
    ...(keepsSessions
      ? [
          {
            name: 'Sessions',
            numeric: true,
            cell: ({ sessions }: Person) => (sessions === null ? '–' : formatCount(sessions)),
          },
        ]
      : []),
    { name: 'Last signed in', cell: ({ last_signed_in_at: at }) => (at === null ? 'never' : <Timestamp at={at} />) },
    { name: managed ? 'Added' : 'First signed in', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  ];
  return <Table caption="People" columns={columns} rows={people} keyOf={({ id }) => id} />;
}

function PersonState({ person: { disabled, invited_until: until, roles } }: { readonly person: Person }) {
  if (disabled) return <StatusBadge state="bad">Disabled</StatusBadge>;
  if (until !== null)
    return (
      <StatusBadge state="attention">
        Invited until <Timestamp at={until} />
      </StatusBadge>
    );
  return roles.length === 0 ? (
    <StatusBadge state="attention">No role</StatusBadge>
  ) : (
    <StatusBadge state="good">Active</StatusBadge>
  );
}
