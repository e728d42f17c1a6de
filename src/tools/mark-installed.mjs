// npm runs this after it has changed node_modules.
import { markInstalled } from './install.mjs';
import { root } from './paths.mjs';

markInstalled(root);
