import { useZone } from '../preferences/use-preferences.tsx';
import { formatInAllZones, formatInstant } from './format-time.ts';

/** An instant in the reader's zone; pointing at it tells all three. */
export function Moment({ at }: { readonly at: string | null }) {
  const [zone] = useZone();
  if (at === null) return <>–</>;
  return (
    <time dateTime={at} title={formatInAllZones(at)}>
      {formatInstant(Date.parse(at), zone)}
    </time>
  );
}
