// A forked process does not inherit the parent's module loader.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
