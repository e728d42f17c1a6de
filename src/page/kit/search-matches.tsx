import styles from './marked-text.module.css';

/** A text with the matches of a search marked: at the start of words if there are any, otherwise anywhere. */
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

/** Splits a text into marked and unmarked parts. Of overlapping matches, the longest is marked. */
export function splitAtMarks(text: string, marked: readonly string[]): readonly Part[] {
  const sought = marked
    .filter((each) => each !== '')
    .toSorted((a, b) => b.length - a.length)
    .map(escape);
  if (sought.length === 0) return [{ part: text, isMarked: false }];
  const [any, starts] = [sought.join('|'), sought.map((each) => `(?<![\\p{L}\\p{N}])${each}`).join('|')];
  const pattern = new RegExp(`(${new RegExp(starts, 'iu').test(text) ? starts : any})`, 'iu');
  // Splitting by a capturing group makes every second part a match.
  return text
    .split(pattern)
    .map((part, index) => ({ part, isMarked: index % 2 === 1 }))
    .filter(({ part }) => part !== '');
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Says that nothing matches. The nearest items, if any, follow as a list. */
export function describeMiss(text: string, proposals: number): string {
  return `No matches for “${text}”.${proposals === 0 ? '' : ' Did you mean:'}`;
}
