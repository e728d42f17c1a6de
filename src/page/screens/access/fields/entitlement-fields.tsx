import { useId } from 'react';
import type { AccountScope, Person } from '#contract/desk/access.ts';
import { ROLES, withIncluded, type Role } from '#contract/desk/roles.ts';
import { ROLE_WORDS } from '#model/access/describe-scope.ts';
import { CodesField } from './codes-field.tsx';
import styles from '../shared/access.module.css';

export type Entitlement = Pick<Person, 'roles' | 'scope'>;

interface EntitlementFieldsProps {
  readonly value: Entitlement;
  /** No more than this can be chosen; absent: everything can. */
  readonly most?: Entitlement;
  readonly onChange: (value: Entitlement) => void;
}

/** What somebody may do, and whose orders they may see. */
export function EntitlementFields({ value, most, onChange }: EntitlementFieldsProps) {
  const seesOrders = includedIn(value.roles).has('orders');
  return (
    <>
      <RoleFields
        value={value.roles}
        most={most?.roles ?? ROLES}
        onChange={(roles) => {
          onChange({ ...value, roles });
        }}
      />
      {seesOrders && (
        <ScopeFields
          value={value.scope}
          mayBeAll={most?.scope.all !== false}
          onChange={(scope) => {
            onChange({ ...value, scope });
          }}
        />
      )}
    </>
  );
}

function includedIn(roles: readonly string[]): ReadonlySet<Role> {
  return withIncluded(roles as readonly Role[]);
}

interface RoleFieldsProps {
  readonly value: Person['roles'];
  readonly most: readonly string[];
  readonly onChange: (roles: Person['roles']) => void;
}

function RoleFields({ value, most, onChange }: RoleFieldsProps) {
  const chosen = new Set<string>(value);
  const included = includedIn(value);
  const possible = includedIn(most);
  return (
    <fieldset className={styles['group']}>
      <legend>Roles</legend>
      {ROLES.filter((role) => possible.has(role)).map((role) => (
        <label key={role} className={styles['choice']}>
          <input
            type="checkbox"
            checked={included.has(role)}
            // It comes with another role that is chosen.
            disabled={included.has(role) && !chosen.has(role)}
            onChange={({ target }) => {
              onChange(ROLES.filter((each) => (each === role ? target.checked : chosen.has(each))));
            }}
          />
          <span>
            <b>{role}</b> – {ROLE_WORDS[role]}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ScopeFieldsProps {
  readonly value: AccountScope;
  readonly mayBeAll: boolean;
  readonly onChange: (scope: AccountScope) => void;
}

const ALL: AccountScope = { all: true, accounts: [], firms: [], connections: [] };

function ScopeFields({ value, mayBeAll, onChange }: ScopeFieldsProps) {
  const name = useId();
  return (
    <fieldset className={styles['group']}>
      <legend>Scope: whose orders</legend>
      {mayBeAll && (
        <>
          <label className={styles['choice']}>
            <input
              type="radio"
              name={name}
              checked={value.all}
              onChange={() => {
                onChange(ALL);
              }}
            />
            <b>All orders</b>
          </label>
          <label className={styles['choice']}>
            <input
              type="radio"
              name={name}
              checked={!value.all}
              onChange={() => {
                onChange({ ...value, all: false });
              }}
            />
            <b>Only orders of</b>
          </label>
        </>
      )}
      {!value.all && (
        <>
          <CodesField
            label="Accounts"
            value={value.accounts}
            onChange={(accounts) => {
              onChange({ ...value, accounts });
            }}
          />
          <CodesField
            label="Clearing firms"
            value={value.firms}
            onChange={(firms) => {
              onChange({ ...value, firms });
            }}
          />
          <CodesField
            label="Connections"
            value={value.connections}
            onChange={(connections) => {
              onChange({ ...value, connections });
            }}
          />
        </>
      )}
    </fieldset>
  );
}
