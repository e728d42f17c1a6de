import { Fragment, useState } from 'react';
import type { ReactNode } from 'react';
import { toEntitlement } from '#page/client/access.ts';
import { useAccess } from '#page/client/react/use-access.ts';
import { useAddress } from '#page/kit/navigation/navigation.tsx';
import { SignedOut } from './lazy-parts.ts';

/** The screens, for whoever may use some. Those of another person, or of one who may see something else, are others. */
export function AccessGate({ children }: { readonly children: ReactNode }) {
  const desk = useAccess();
  const { path } = useAddress();
  const [before, setBefore] = useState<string | null>(null);
  if (desk === null) return children;
  const { me } = desk;
  if (me !== null && me.name !== before) setBefore(me.name);
  return me === null || me.roles.length === 0 || path === '/invitation' ? (
    <SignedOut desk={desk} before={before} />
  ) : (
    <Fragment key={toEntitlement(me)}>{children}</Fragment>
  );
}
