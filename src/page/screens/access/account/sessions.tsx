import { useAccessAction } from '#page/client/react/use-access-api.ts';
import type { DeskSessions } from '#contract/desk/access.ts';
import { describeBrowser } from '#model/access/describe-browser.ts';
import { WAY_WORDS } from '#model/access/describe-scope.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from '../shared/access.module.css';

type Session = DeskSessions['sessions'][number];

const COLUMNS: readonly Column<Session>[] = [
  {
    name: 'Browser',
    cell: ({ browser }) => (
      <span className={styles['short']} title={browser}>
        {describeBrowser(browser)}
      </span>
    ),
  },
  { name: 'Address', cell: ({ address }) => <span className={styles['code']}>{address}</span> },
  { name: 'Signed in with', cell: ({ way }) => WAY_WORDS[way] ?? way },
  { name: 'Signed in', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => <Timestamp at={at} /> },
  { name: 'Ends by', cell: ({ ends_at: at }) => <Timestamp at={at} /> },
];

/** Where one is signed in, this browser first. */
export function Sessions({ sessions }: Pick<DeskSessions, 'sessions'>) {
  const { mutate, error, isPending } = useAccessAction('endSession');
  const actions: Column<Session> = {
    name: 'Action',
    pinned: 'end',
    cell: ({ id, is_this: isThis, browser }) =>
      isThis ? (
        <StatusBadge state="good">This browser</StatusBadge>
      ) : (
        <ConfirmButton
          label="End"
          question="End session?"
          of={`the session of ${describeBrowser(browser)}`}
          isBusy={isPending}
          run={() => {
            mutate({ query: { id } });
          }}
        />
      ),
  };
  const rows = sessions.toSorted(
    (a, b) => Number(b.is_this) - Number(a.is_this) || b.last_used_at.localeCompare(a.last_used_at),
  );
  return (
    <>
      <ActionError error={error} />
      <Table caption="Sessions" columns={[...COLUMNS, actions]} rows={rows} keyOf={({ id }) => id} />
    </>
  );
}
