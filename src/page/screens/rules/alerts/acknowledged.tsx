import type { Alert } from '#contract/desk/alerts.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';

/** Who knew of an alert, since when, and what there was to say. */
export function Acknowledged({
  acknowledged: { by, at, note },
}: {
  readonly acknowledged: NonNullable<Alert['acknowledged']>;
}) {
  return (
    <>
      Acknowledged by {by}, <Timestamp at={at} />
      {note !== '' && <>: “{note}”</>}
    </>
  );
}
