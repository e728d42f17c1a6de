import { choiceParam, textParam } from '../format/url-param.ts';
import { CARRY_CHOICES, CARRY_UNITS, CARRY_WINDOWS } from './carry-months.ts';

export const CARRY_PARAMS = {
  choice: choiceParam('position', CARRY_CHOICES, 'earning'),
  unit: choiceParam('in', CARRY_UNITS, 'year'),
  days: choiceParam('funding', CARRY_WINDOWS, '30'),
  /** In USD, as typed; 10,000 if empty. */
  notional: textParam('notional'),
} as const;
