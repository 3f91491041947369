// A worker thread starts without the loader that its parent has.
import { register } from 'tsx/esm/api';

register();
const { default: playAll } = await import('./worker.ts');
export default playAll;
