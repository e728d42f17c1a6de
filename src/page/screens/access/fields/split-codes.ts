/** Codes as they are typed or pasted from a list: between spaces, commas, semicolons or lines. */
export function splitCodes(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((code) => code !== '');
}
