import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import { describeAhead } from '#model/time/clocks.ts';
import notices from '#page/kit/notice.module.css';

/** Says by which clock Perpdesk’s own records are timed, if that matters. */
export function ClockNote() {
  const ahead = describeAhead(-useVenueOffset());
  return ahead === null ? null : (
    <p className={notices['bar']} role="note">
      Times here are by this machine’s clock, {ahead} the exchange’s.
    </p>
  );
}
