import { useState } from 'react';
import { useAction } from '#page/client/react/use-rules-api.ts';
import { checkRules, type Rule, type RuleMistake } from '#contract/desk/rules.ts';
import { countOf } from '#model/format/count.ts';
import { download } from '#page/kit/download.ts';
import { ImportFile } from '#page/kit/import-file.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { ActionError, Mistakes } from '#page/panels/action-error.tsx';
import styles from './rules.module.css';
import type { DeskAlerts } from '#contract/desk/alerts.ts';
import { summariseRule } from '#model/rules/alert-summary.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { Link, useUrlState } from '#page/kit/navigation.tsx';
import { textParam } from '#model/format/url-param.ts';
import { SearchField } from '#page/kit/search-field.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { SeverityMark } from './alerts/alert-facts.tsx';

/**
 * Exports and imports rules as a file. All of a file’s mistakes are shown at once with their places, and then nothing
 * is imported.
 */
function RuleFiles({ rules }: { readonly rules: readonly Rule[] }) {
  const { mutate, error, reset } = useAction('importRules');
  const [mistakes, setMistakes] = useState<readonly RuleMistake[]>([]);
  const [imported, setImported] = useState<number | null>(null);
  const rejection =
    mistakes.length === 0 ? null : `${countOf(mistakes.length, 'mistake')} in this file: nothing was imported.`;
  const done = imported === null ? null : `${countOf(imported, 'rule')} imported.`;
  useAnnounced(rejection ?? done);
  const read = (text: string): void => {
    reset();
    setImported(null);
    const found = readRules(text);
    setMistakes(found.mistakes);
    if (found.mistakes.length > 0) return;
    mutate(
      { body: { rules: [...found.rules] } },
      {
        onSuccess: () => {
          setImported(found.rules.length);
        },
      },
    );
  };
  return (
    <>
      <button
        type="button"
        disabled={rules.length === 0}
        onClick={() => {
          download('rules.json', `${JSON.stringify({ rules }, null, 2)}\n`, 'application/json');
        }}
      >
        Export to file
      </button>
      <ImportFile read={read} />
      {done !== null && <span className={styles['done']}>{done}</span>}
      {rejection !== null && (
        <div className={styles['failed']}>
          <strong>{rejection}</strong>
          <Mistakes mistakes={mistakes} />
        </div>
      )}
      <ActionError error={error} />
    </>
  );
}

/** Reads the format that the export writes. */
function readRules(text: string): ReturnType<typeof checkRules> {
  const parsed = parseJson(text);
  if (parsed === undefined) return { rules: [], mistakes: [{ path: '$', detail: 'must be JSON' }] };
  const { rules } = (parsed ?? {}) as { readonly rules?: unknown };
  if (!Array.isArray(rules)) return { rules: [], mistakes: [{ path: '$.rules', detail: 'must be a list of rules' }] };
  return checkRules(rules);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the address of a rule’s form. */
function toRuleAddress(id: string): string {
  return `/rules/edit/${id}`;
}

interface RuleListProps {
  readonly rules: readonly Rule[];
  /** Undefined until the alerts have been read. */
  readonly alerts: DeskAlerts | undefined;
}

const sought = textParam('q');

export function RuleList({ rules, alerts }: RuleListProps) {
  const [text, setText] = useUrlState(sought);
  const found = rules.filter((rule) =>
    `${rule.name} ${describeRule(rule)}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <>
      <div className={styles['tools']}>
        <SearchField
          label="Filter by any text in a rule"
          placeholder="Filter"
          group="Rules"
          value={text}
          onChange={setText}
          leave={() => undefined}
        />
        <RuleFiles rules={rules} />
      </div>
      {rules.length === 0 && (
        <EmptyState title="No rules">
          <p>
            <Link to="/rules/new">Create a rule</Link>, turn on a suggestion below, or import rules from a file.
          </p>
        </EmptyState>
      )}
      {rules.length > 0 && found.length === 0 && (
        <NoMatches
          total={rules.length}
          clear={() => {
            setText('');
          }}
        />
      )}
      {found.length > 0 && <RuleTable rules={found} alerts={alerts} />}
    </>
  );
}

function RuleTable({ rules, alerts }: RuleListProps) {
  const save = useAction('putRule');
  const remove = useAction('deleteRule');
  const isBusy = save.isPending || remove.isPending;
  const columns: readonly Column<Rule>[] = [
    {
      name: 'Rule',
      cell: (rule) => (
        <div className={styles['rule']}>
          <Link to={toRuleAddress(rule.id)}>{rule.name}</Link>
          <span>{describeRule(rule)}</span>
        </div>
      ),
    },
    { name: 'Now', cell: (rule) => <RuleState rule={rule} alerts={alerts} /> },
    { name: 'Severity', cell: ({ severity, enabled }) => <SeverityMark severity={severity} isQuiet={!enabled} /> },
    { name: 'Last fired', cell: ({ id }) => <Timestamp at={findLastFired(id, alerts)} /> },
    { name: 'Channels', cell: ({ channels }) => (channels.length === 0 ? 'none' : channels.join(', ')) },
    {
      name: 'Actions',
      pinned: 'end',
      cell: (rule) => (
        <span className={styles['actions']}>
          <button
            type="button"
            disabled={isBusy}
            aria-label={`Turn ${rule.enabled ? 'off' : 'on'} ${rule.name}`}
            onClick={() => {
              save.mutate({ body: { rule: { ...rule, enabled: !rule.enabled }, before: rule } });
            }}
          >
            Turn {rule.enabled ? 'off' : 'on'}
          </button>
          <ConfirmButton
            label="Delete"
            question="Delete?"
            of={rule.name}
            isBusy={isBusy}
            run={() => {
              remove.mutate({ query: { id: rule.id } });
            }}
          />
        </span>
      ),
    },
  ];
  return (
    <>
      <ActionError error={save.error ?? remove.error} />
      <Table caption="Rules" columns={columns} rows={rules} keyOf={({ id }) => id} />
    </>
  );
}

function RuleState({ rule, alerts }: { readonly rule: Rule; readonly alerts: DeskAlerts | undefined }) {
  const { mark, text, watches } = summariseRule(rule, alerts);
  return (
    <div className={styles['state']}>
      <StatusBadge state={mark}>{text}</StatusBadge>
      {watches !== null && <span>{watches}</span>}
    </div>
  );
}

function findLastFired(id: string, alerts: DeskAlerts | undefined): string | null {
  return alerts?.last_fired.find(({ rule_id: rule }) => rule === id)?.at ?? null;
}
