import { useZone } from '../use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { Time } from './time.tsx';

/** An instant in the user’s zone, with all zones in its tooltip. */
export function Timestamp({ at }: { readonly at: string | number | null }) {
  const [zone] = useZone();
  if (at === null) return <>–</>;
  return <Time at={at}>{formatInstant(typeof at === 'number' ? at : Date.parse(at), zone)}</Time>;
}
