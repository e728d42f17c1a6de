import { ACCESS_ENDPOINTS, type DeskPeople, type Person } from '#contract/desk/access.ts';
import { formatCount } from '#model/format/count.ts';
import { describeScope } from '#model/describe-access.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { describeWays } from './describe-ways.ts';
import styles from '../shared/access.module.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { textParam } from '#model/format/url-param.ts';
import { SearchField } from '#page/kit/search-field.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { PersonWindow } from './person-window.tsx';

interface PeopleTableProps {
  readonly people: readonly Person[];
  readonly managed: boolean;
  readonly open: (id: string) => void;
}

function PeopleTable({ people, managed, open }: PeopleTableProps) {
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

const soughtParam = textParam('q');
/**
 * The person whose window is open: identified by name until the id is known, and by neither if the person is yet to be
 * added.
 */
type OpenedPerson = Partial<Pick<Person, 'id' | 'name'>>;
const NEW: OpenedPerson = {};

/** Lists who may sign in and what they may see. */
export function PeopleScreen() {
  const { queries } = useAccessApi();
  const query = useQuery(queries.people());
  const [text, setText] = useUrlState(soughtParam);
  const [opened, setOpened] = useState<OpenedPerson | null>(null);
  const managed = query.data?.value.managed === true;
  return (
    <>
      <Toolbar title="People">
        <SearchField
          label="Filter by name, role or scope"
          placeholder="Filter"
          group="People"
          value={text}
          onChange={setText}
          leave={() => undefined}
        />
        {managed && (
          <button
            type="button"
            onClick={() => {
              setOpened(NEW);
            }}
          >
            Add person
          </button>
        )}
      </Toolbar>
      <Panel title="People" query={query} everySeconds={ACCESS_ENDPOINTS.people.reuseSeconds}>
        {({ value }) => (
          <>
            {!managed && (
              <p>
                People and their groups are managed at the provider or proxy. The file that DESK_GROUPS names gives each
                group its roles and scope. This list has everyone who has signed in, with the roles and scope that they
                last had.
              </p>
            )}
            <Found
              people={value.people}
              managed={managed}
              text={text}
              open={(id) => {
                setOpened({ id });
              }}
              clear={() => {
                setText('');
              }}
            />
          </>
        )}
      </Panel>
      {opened !== null && query.data !== undefined && (
        <Opened people={query.data.value} opened={opened} open={setOpened} />
      )}
    </>
  );
}

interface FoundProps {
  readonly people: readonly Person[];
  readonly managed: boolean;
  readonly text: string;
  readonly open: (id: string) => void;
  readonly clear: () => void;
}

function Found({ people, managed, text, open, clear }: FoundProps) {
  const words = text.trim().toLowerCase();
  const found = people.filter((person) =>
    `${person.name} ${person.roles.join(' ')} ${describeScope(person)}`.toLowerCase().includes(words),
  );
  if (people.length === 0) {
    return (
      <EmptyState title="No people yet">
        <p>People appear here once they have signed in.</p>
      </EmptyState>
    );
  }
  return found.length === 0 ? (
    <NoMatches total={people.length} clear={clear} />
  ) : (
    <PeopleTable people={found} managed={managed} open={open} />
  );
}

interface OpenedProps {
  readonly people: DeskPeople;
  readonly opened: OpenedPerson;
  readonly open: (opened: OpenedPerson | null) => void;
}

/** Shows the window of a person. After one is added, their window opens next, so that they can be invited. */
function Opened({ people: { people, managed }, opened, open }: OpenedProps) {
  const person = people.find(({ id, name }) => id === opened.id || name === opened.name);
  // Another administrator may have deleted the person.
  if (opened !== NEW && person === undefined) return null;
  const close = (): void => {
    open(null);
  };
  const added = (name: string): void => {
    open({ name });
  };
  return <PersonWindow key={person?.id ?? ''} person={person ?? null} managed={managed} close={close} added={added} />;
}
