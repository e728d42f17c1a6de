import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import { ACCESS_ENDPOINTS, type DeskPeople, type Person } from '#contract/desk/access.ts';
import { describeScope } from '#model/access/describe-scope.ts';
import { NoMatches } from '#page/panels/no-matches.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { textParam } from '#model/format/url-param.ts';
import { SearchField } from '#page/kit/controls/search-field.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { PeopleTable } from './people-table.tsx';
import { PersonWindow } from './person-window.tsx';

const soughtParam = textParam('q');
/** Whose window is open: by name where the id is not known yet; without both, that of one who is to be added. */
type OpenedPerson = Partial<Pick<Person, 'id' | 'name'>>;
const NEW: OpenedPerson = {};

/** Who may sign in, and what they may see. */
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

/** One who was just added is opened next, to be invited. */
function Opened({ people: { people, managed }, opened, open }: OpenedProps) {
  const person = people.find(({ id, name }) => id === opened.id || name === opened.name);
  // Somebody else may have deleted the person meanwhile.
  if (opened !== NEW && person === undefined) return null;
  const close = (): void => {
    open(null);
  };
  const added = (name: string): void => {
    open({ name });
  };
  return <PersonWindow key={person?.id ?? ''} person={person ?? null} managed={managed} close={close} added={added} />;
}
