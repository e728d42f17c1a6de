import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';

interface FactTimeProps {
  readonly at: string;
  /** Funding times are whole minutes, `2026-11-26 08:00 UTC`; a trade may be at any second. */
  readonly toTheMinute: boolean;
}

export function FactTime({ at, toTheMinute }: FactTimeProps) {
  const [zone] = useZone();
  const text = formatInstant(Date.parse(at), zone);
  return <Time at={at}>{toTheMinute ? text.replace(/:00(?= \D+$)/, '') : text}</Time>;
}
