// npm runs this after it has changed node_modules.
import { stampInstall } from './install.mjs';
import { root } from './paths.mjs';

stampInstall(root);
