import type { Answer } from '#api/answer.ts';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { toIntervalProgress, type IntervalProgress } from '#domain/funding-rate.ts';
import { useNow } from '#ui/time/use-now.tsx';

interface ProgressProps {
  readonly progress: Answer<EstimatedFundingRateData> | null;
}

/** How far the interval has come, by its own times and the desk's clock. */
function useProgress(answer: ProgressProps['progress']): IntervalProgress | null {
  const now = useNow();
  if (answer === null) return null;
  const { answeredAt, ageSeconds, receivedAt, value } = answer;
  // How far the desk's clock is ahead of this browser's.
  const ahead = answeredAt === null ? 0 : Date.parse(answeredAt) + (ageSeconds ?? 0) * 1_000 - receivedAt;
  return toIntervalProgress(value, now + ahead);
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
  return <time dateTime={answer.value.interval_end}>{progress.secondsLeft === 0 ? 'settling' : formatCountdown(progress.secondsLeft)}</time>;
}

function formatCountdown(seconds: number): string {
  const whole = Math.ceil(seconds);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${String(Math.floor(whole / 3_600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}
