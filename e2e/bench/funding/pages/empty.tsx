/** An empty page: the baseline of the machine. */
import { present } from '../stage.ts';

present(
  () => undefined,
  () => true,
);
