import type { DeskStatus } from '#contract/desk/desk.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';

export function LastFailure({ failure }: { readonly failure: DeskStatus['venue']['last_failure'] }) {
  if (failure === null) return <StatusBadge state="good">none</StatusBadge>;
  return (
    <>
      <Timestamp at={failure.at} /> {failure.type}: {failure.detail}
    </>
  );
}
