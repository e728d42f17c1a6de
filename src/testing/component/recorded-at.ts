/** When the responses for component tests were recorded: a Monday in summer, half an hour after a funding time. */
export const RECORDED_AT = Date.parse('2026-08-17T12:30:00Z');
