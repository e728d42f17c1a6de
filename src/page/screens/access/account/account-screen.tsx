import { useQuery } from '@tanstack/react-query';
import { useAccess } from '#page/client/react/use-access.ts';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import { ACCESS_ENDPOINTS, type DeskMe } from '#contract/desk/access.ts';
import { describeScope, WAY_WORDS } from '#model/access/describe-scope.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { FactList } from '#page/kit/fact-list.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useSignOut } from '../shared/use-sign-out.ts';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import styles from '../shared/access.module.css';

/** One’s own sessions, tokens, passkeys and password. */
export function AccountScreen() {
  const desk = useAccess();
  const me = desk?.me ?? null;
  return desk !== null && me !== null && <Account desk={desk} me={me} />;
}

interface AccountProps {
  readonly desk: DeskMe;
  readonly me: NonNullable<DeskMe['me']>;
}

function Account({ desk, me }: AccountProps) {
  const { queries } = useAccessApi();
  const sessions = useQuery(queries.sessions());
  const tokens = useQuery(queries.tokens());
  const { signOut, error } = useSignOut();
  const isManaged = desk.mode === 'users';
  return (
    <>
      <Toolbar title="Account">
        {desk.mode !== 'proxy' && (
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        )}
        <ActionError error={error} />
      </Toolbar>
      <div className={styles['page']}>
        <section className={styles['section']} aria-label="You">
          <div className={styles['facts']}>
            <FactList
              facts={[
                { name: 'Name', value: me.name },
                { name: 'Roles', value: me.roles.join(', ') },
                { name: 'Scope', value: describeScope(me) },
                { name: 'Signed in with', value: WAY_WORDS[me.way] ?? me.way },
              ]}
            />
          </div>
        </section>
        <Panel title="Sessions" query={sessions} everySeconds={ACCESS_ENDPOINTS.sessions.reuseSeconds}>
          {({ value }) => <Sessions sessions={value.sessions} />}
        </Panel>
        {isManaged && (
          <Panel title="API tokens" query={tokens} everySeconds={ACCESS_ENDPOINTS.tokens.reuseSeconds}>
            {({ value }) => <Tokens tokens={value.tokens} me={me} />}
          </Panel>
        )}
        {isManaged && <Passkeys passkeys={me.passkeys} />}
        {isManaged && <Password me={me} />}
      </div>
    </>
  );
}
