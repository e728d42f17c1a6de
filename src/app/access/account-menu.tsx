import { useLayoutEffect, useRef } from 'react';
import { useAccess } from '#api/react/use-access.ts';
import type { DeskMe } from '#contract/desk-access.ts';
import { describeScope } from '#domain/access/describe-scope.ts';
import { ActionError } from '#panels/action-error.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { usePopupButton } from '#ui/use-popup-button.ts';
import { useSignOut } from '#views/access/use-sign-out.ts';
import { toUsable } from '../screens.ts';
import styles from './account-menu.module.css';

type Me = NonNullable<DeskMe['me']>;

/** Who is signed in, what they may see, and the screens about it. */
export function AccountMenu() {
  const desk = useAccess();
  const { anchor, isOpen, setOpen, button } = usePopupButton();
  const me = desk?.me ?? null;
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
  const popup = useRef<HTMLDivElement>(null);
  const { signOut, error } = useSignOut();
  useLayoutEffect(() => {
    const { bottom, right } = anchor.getBoundingClientRect();
    popup.current?.style.setProperty('--top', `${String(Math.round(bottom))}px`);
    popup.current?.style.setProperty('--end', `${String(Math.round(innerWidth - right))}px`);
    popup.current?.showPopover();
    popup.current?.focus();
  }, [anchor]);
  return (
    <div
      ref={popup}
      popover="auto"
      role="dialog"
      aria-label="Account"
      tabIndex={-1}
      className={styles['popup']}
      onToggle={({ newState, currentTarget }) => {
        if (newState === 'open') return;
        if (currentTarget.contains(document.activeElement) || document.activeElement === document.body) anchor.focus();
        close();
      }}
    >
      <p className={styles['who']}>
        <b>{me.name}</b>
        <span>Roles: {me.roles.join(', ')}</span>
        <span>{describeScope(me)}</span>
      </p>
      <nav aria-label="Account" className={styles['links']}>
        {toUsable(desk)
          .filter(({ isOfAccess }) => isOfAccess)
          .map(({ name, home }) => (
            <Link
              key={name}
              to={home}
              onClick={() => {
                popup.current?.hidePopover();
              }}
            >
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
    </div>
  );
}
