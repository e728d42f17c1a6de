import { useId, useRef, useState } from 'react';
import { Field } from '#page/kit/field.tsx';
import styles from './access.module.css';
import type { AccountScope, Person } from '#contract/desk/access.ts';
import { type Role, ROLES, withIncluded } from '#contract/desk/roles.ts';
import { ROLE_WORDS } from '#model/describe-access.ts';

/**
 * Splits codes that were typed or pasted as a list, at spaces, commas, semicolons and line ends.
 *
 * @internal Exported for its test.
 */
export function splitCodes(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((code) => code !== '');
}

interface CodesFieldProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (codes: string[]) => void;
}

/**
 * Shows codes, each with a button that removes it. Enter, comma or space adds the typed or pasted text; Backspace
 * removes the last code.
 */
function CodesField({ label, value, onChange }: CodesFieldProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const add = (typed: string): void => {
    setText('');
    onChange([...new Set([...value, ...splitCodes(typed)])]);
  };
  const remove = (code: string): void => {
    onChange(value.filter((each) => each !== code));
    input.current?.focus();
  };
  return (
    <Field label={label}>
      {(control) => (
        <div className={styles['tokens']}>
          {value.map((code) => (
            <button
              key={code}
              type="button"
              aria-label={`Remove ${code}`}
              onClick={() => {
                remove(code);
              }}
            >
              {code} ×
            </button>
          ))}
          <input
            {...control}
            ref={input}
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              if (/[\s,;]/.test(target.value)) add(target.value);
              else setText(target.value);
            }}
            onBlur={() => {
              if (text !== '') add(text);
            }}
            onKeyDown={(event) => {
              const last = value.at(-1);
              if (event.key === 'Enter' && text !== '') {
                event.preventDefault();
                add(text);
              } else if (event.key === 'Backspace' && text === '' && last !== undefined) {
                remove(last);
              }
            }}
          />
        </div>
      )}
    </Field>
  );
}

export type Entitlement = Pick<Person, 'roles' | 'scope'>;

interface EntitlementFieldsProps {
  readonly value: Entitlement;
  /** The most that can be chosen; everything if absent. */
  readonly most?: Entitlement;
  readonly onChange: (value: Entitlement) => void;
}

/** Edits what a person may do and whose orders they may see. */
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
            // Another chosen role includes this one.
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
