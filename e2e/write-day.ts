interface DayForm {
  readonly year?: 'numeric';
  readonly timeZone: string;
}

/** Writes a day as screens do. In British English, ICU writes September with four letters. */
export function writeDay(time: string | number, form: DayForm): string {
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...form }).replace('Sept', 'Sep');
}
