import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';

/** As short as it can be without loss: funding times are whole minutes, `2026-11-26 08:00 UTC`. */
export function FactTime({ at }: { readonly at: string }) {
  const [zone] = useZone();
  return <Time at={at}>{formatInstant(Date.parse(at), zone).replace(/:00(?= \D+$)/, '')}</Time>;
}
