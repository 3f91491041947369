import { measureEngine } from './ledger.js';
console.log(measureEngine([+process.argv[2]]));
