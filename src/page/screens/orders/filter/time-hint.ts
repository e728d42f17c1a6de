/** What a time may look like where one is entered. */
export const TIME_HINT =
  'A day or a time such as 2026-08-17 09:30, today, yesterday, or 15 min, 1 h, 2 d or 1 w ago. UTC.';
