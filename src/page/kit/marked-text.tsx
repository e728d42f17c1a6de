import styles from './marked-text.module.css';

/** A text in which what a search matched is marked: at the beginning of a word if it is there, or else anywhere. */
export function MarkedText({ text, marked }: { readonly text: string; readonly marked: readonly string[] }) {
  const parts = splitAtMarks(text, marked);
  return parts.map(({ part, isMarked }, index) =>
    isMarked ? (
      <mark key={index} className={styles['mark']}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

interface Part {
  readonly part: string;
  readonly isMarked: boolean;
}

/** The whole text in parts; of overlapping marks, the longest counts. */
export function splitAtMarks(text: string, marked: readonly string[]): readonly Part[] {
  const sought = marked
    .filter((each) => each !== '')
    .toSorted((a, b) => b.length - a.length)
    .map(escape);
  if (sought.length === 0) return [{ part: text, isMarked: false }];
  const [any, starts] = [sought.join('|'), sought.map((each) => `(?<![\\p{L}\\p{N}])${each}`).join('|')];
  const pattern = new RegExp(`(${new RegExp(starts, 'iu').test(text) ? starts : any})`, 'iu');
  // Split by a group, the matches are every second part.
  return text
    .split(pattern)
    .map((part, index) => ({ part, isMarked: index % 2 === 1 }))
    .filter(({ part }) => part !== '');
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
