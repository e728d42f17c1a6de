import { Segmented } from '../segmented.tsx';
import type { Scale } from '#model/charts/picture.ts';

const SCALES = [
  ['linear', 'Linear'],
  ['log', 'Log'],
  ['percent', '%'],
] as const;

export function ScalePicker({ value, onChange }: { readonly value: Scale; readonly onChange: (scale: Scale) => void }) {
  return <Segmented label="Scale" choices={SCALES} value={value} onChange={onChange} />;
}
