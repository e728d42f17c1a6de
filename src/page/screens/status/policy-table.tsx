import type { DeskPolicy } from '#contract/desk/policy.ts';
import { Table, type Column } from '#page/kit/table.tsx';
import styles from './status-screen.module.css';

type Row = DeskPolicy['endpoints'][number];
type Parameter = Row['query'][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Path', cell: ({ upstream }) => <span className={styles['code']}>{upstream}</span> },
  { name: 'Description', cell: ({ summary }) => <span className={styles['wrap']}>{summary}</span> },
  { name: 'Access', cell: ({ access }) => access },
  { name: 'Stability', cell: ({ stability, optional }) => (optional ? `${stability}, optional` : stability) },
  { name: 'Parameters', cell: (row) => <Parameters parameters={[...row.path_parameters, ...row.query]} /> },
];

export function PolicyTable({ policy }: { readonly policy: DeskPolicy }) {
  return (
    <>
      <p className={styles['below']}>
        Methods: {policy.methods.join(', ')}. Perpdesk rejects any request that is not in this table.
      </p>
      <Table caption="Allowed requests" columns={COLUMNS} rows={policy.endpoints} keyOf={({ name }) => name} />
    </>
  );
}

function Parameters({ parameters }: { readonly parameters: readonly Parameter[] }) {
  if (parameters.length === 0) return <>none</>;
  return (
    <details>
      <summary>{parameters.map(({ name }) => name).join(', ')}</summary>
      <ul className={styles['parameters']}>
        {parameters.map(({ name, must_be, repeatable }) => (
          <li key={name}>
            <b>{name}</b> must be {must_be}
            {repeatable ? ' (repeatable)' : ''}
          </li>
        ))}
      </ul>
    </details>
  );
}
