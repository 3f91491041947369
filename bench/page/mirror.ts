import { served } from './site.js';

/** A second server, in a process of its own: serves a log of the given number of updates, and makes a payment for each message. */
const site = await served(Number(process.argv[2]));
// A payment spends the change of the one before.
let paying = Promise.resolve();
process.on('message', () => (paying = paying.then(site.pay)));
process.send?.(site.url);
