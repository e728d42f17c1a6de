/** Nothing: what the machine gives to whoever does nothing. */
import { present } from '../stage.ts';

present(() => undefined, () => true);
