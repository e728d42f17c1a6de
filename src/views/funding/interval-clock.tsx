import { NO_VALUE } from '#domain/format-number.ts';
import { aheadOf, type Estimate } from '#domain/funding/estimate.ts';
import { toIntervalProgress, type IntervalProgress } from '#domain/funding-rate.ts';
import { formatCountdown } from '#ui/time/format-time.ts';
import { useNow } from '#ui/time/use-now.tsx';

interface ProgressProps {
  readonly progress: Estimate | null;
}

/** How far the interval has come, by its own times and the desk's clock. */
function useProgress(answer: ProgressProps['progress']): IntervalProgress | null {
  const now = useNow();
  return answer === null ? null : toIntervalProgress(answer.value, now + aheadOf(answer));
}

/** `9 % · 1 %`: of the interval, and of the final weight: later samples weigh more. */
export function Elapsed({ progress: answer }: ProgressProps) {
  const progress = useProgress(answer);
  if (progress === null) return <>…</>;
  return (
    <>
      {Math.floor(progress.elapsed * 100)} % · {Math.floor(progress.fixed * 100)} %
    </>
  );
}

/** Time to the boundary that the venue names. */
export function NextBoundary({ progress: answer }: ProgressProps) {
  const progress = useProgress(answer);
  if (progress === null || answer === null) return <>…</>;
  const atEnd = answer.notCurrent === null ? 'settling' : NO_VALUE;
  return <time dateTime={answer.value.interval_end}>{progress.secondsLeft === 0 ? atEnd : formatCountdown(progress.secondsLeft)}</time>;
}
