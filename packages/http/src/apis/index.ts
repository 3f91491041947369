import type { Register } from '../app.js';
import { registerAdmin } from './admin.js';
import { registerHealth } from './health.js';

/** Every API of the server, in the order of the document. */
export const APIS: readonly Register[] = [registerHealth, registerAdmin];
