import type { DeskCredentials } from '#contract/desk/access.ts';
import { describeScope } from '#model/access/describe-scope.ts';
import type { Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from '../shared/access.module.css';

export type Token = DeskCredentials['tokens'][number];
export type Passkey = DeskCredentials['passkeys'][number];

export const TOKEN_COLUMNS: readonly Column<Token>[] = [
  { name: 'Name', pinned: 'start', cell: ({ name }) => name },
  { name: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { name: 'Scope', cell: (token) => <span className={styles['wide']}>{describeScope(token)}</span> },
  { name: 'Created', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Timestamp at={at} />) },
  { name: 'Expires', cell: ({ expires_at: at }) => <Timestamp at={at} /> },
];

export const PASSKEY_COLUMNS: readonly Column<Passkey>[] = [
  { name: 'Passkey', pinned: 'start', cell: ({ name }) => name },
  { name: 'Added', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Timestamp at={at} />) },
];
