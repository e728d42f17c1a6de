/** Fewer characters of a code do not identify anybody. */
export const MIN_CODE_LENGTH = 3;

export function toCodeWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length >= MIN_CODE_LENGTH);
}

/** Whether a word of the text is a code, contains one or is a part of one. */
export function namesCode(text: string, codes: readonly string[]): boolean {
  return toCodeWords(text).some((word) =>
    codes.some(
      (code) =>
        code.toLowerCase().includes(word) || (code.length >= MIN_CODE_LENGTH && word.includes(code.toLowerCase())),
    ),
  );
}
