import { useEffect } from 'react';
import { useAccess } from '#page/client/react/use-api.tsx';
import type { DeskMe } from '#contract/desk/access.ts';
import { describeScope } from '#model/describe-access.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { AnchoredPopover, usePopupButton } from '#page/kit/anchored-popover.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { useToast } from '#page/kit/toast.tsx';
import { onExportRefused } from '#page/kit/watch-exports.ts';
import { useSignOut } from '#page/screens/access/shared/use-sign-out.ts';
import { toUsable } from './screens.ts';
import styles from './account-menu.module.css';

type Me = NonNullable<DeskMe['me']>;

/** Shows who is signed in, what they may see, and links to the account screens. */
export function AccountMenu() {
  const desk = useAccess();
  const { anchor, isOpen, setOpen, button } = usePopupButton();
  const me = desk?.me ?? null;
  const showToast = useToast();
  useEffect(() => onExportRefused(showToast), [showToast]);
  if (desk === null || me === null) return null;
  return (
    <>
      <button {...button} className={styles['button']} aria-label={`Account: ${me.name}`}>
        {me.name}
      </button>
      {isOpen && anchor !== null && (
        <AccountPopover
          desk={desk}
          me={me}
          anchor={anchor}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

interface AccountPopoverProps {
  readonly desk: DeskMe;
  readonly me: Me;
  readonly anchor: HTMLElement;
  readonly close: () => void;
}

function AccountPopover({ desk, me, anchor, close }: AccountPopoverProps) {
  const { signOut, error } = useSignOut();
  return (
    <AnchoredPopover label="Account" anchor={anchor} className={styles['popup']} onClose={close}>
      {(hide) => (
        <>
          <p className={styles['who']}>
            <b>{me.name}</b>
            <span>Roles: {me.roles.join(', ')}</span>
            <span>{describeScope(me)}</span>
          </p>
          <nav aria-label="Account" className={styles['links']}>
            {toUsable(desk)
              .filter(({ isOfAccess }) => isOfAccess)
              .map(({ name, home }) => (
                <Link key={name} to={home} onClick={hide}>
                  {name}
                </Link>
              ))}
          </nav>
          {desk.mode !== 'proxy' && (
            <button type="button" onClick={signOut}>
              Sign out
            </button>
          )}
          <ActionError error={error} />
        </>
      )}
    </AnchoredPopover>
  );
}
