/** An axis value. Axes are floats; one that rounds to zero has no sign. */
export function formatAxis(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}
