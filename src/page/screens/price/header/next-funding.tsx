import { useVenueTime } from '#page/client/react/use-venue-time.ts';
import { toIntervalProgress, type FundingInterval } from '#model/funding/funding-rate.ts';
import { formatFundingCountdown } from '#model/tables/funding-countdown.ts';
import { whyNoCountdown } from '#model/tables/why-no-countdown.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import { FactTime } from './fact-time.tsx';
import styles from '../shared/price.module.css';

interface NextFundingProps {
  readonly interval: FundingInterval;
  /** The predicted rate, which may name another interval, is still to come. */
  readonly isPending: boolean;
}

/** Countdown to the next funding time. A component of its own, as it renders every second. */
export function NextFunding({ interval, isPending }: NextFundingProps) {
  const toVenueTime = useVenueTime();
  const venueNow = toVenueTime(useNow());
  const reason = whyNoCountdown(interval, venueNow);
  return (
    <div>
      <dt>
        Next funding in <span className={styles['faint']}>h:m:s</span>
      </dt>
      <dd>
        <Time at={interval.interval_end}>
          {formatFundingCountdown(toIntervalProgress(interval, venueNow), isPending)}
        </Time>{' '}
        <span className={styles['of']}>{reason ?? <FactTime at={interval.interval_end} toTheMinute />}</span>
      </dd>
    </div>
  );
}
