import { formatDuration } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';

/** How long ago something was, by the second. */
export function Age({ since }: { readonly since: string }) {
  return <Time at={since}>{formatDuration((useNow() - Date.parse(since)) / 1_000)}</Time>;
}
