import { useAddress } from '#page/kit/navigation/navigation.tsx';
import { AccountScreen } from './account/account-screen.tsx';
import { AuditScreen } from './audit/audit-screen.tsx';
import { ConfirmSignIn } from './fields/confirm-sign-in.tsx';
import { PeopleScreen } from './people/people-screen.tsx';

const SCREENS: Readonly<Record<string, typeof AccountScreen>> = {
  '/account': AccountScreen,
  '/people': PeopleScreen,
  '/audit': AuditScreen,
};

/** The screens about who uses this Perpdesk. One for the app, which they are too small to load apart. */
export function AccessScreen() {
  const Screen = SCREENS[useAddress().path];
  return (
    Screen !== undefined && (
      <>
        <Screen />
        <ConfirmSignIn />
      </>
    )
  );
}
