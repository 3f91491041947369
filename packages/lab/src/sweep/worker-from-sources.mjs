// A worker process starts without the loader that its parent has.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
