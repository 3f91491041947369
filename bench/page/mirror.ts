import { served } from './site.js';

/** A second server, in a process of its own: serves a log of the given number of updates, and makes a payment for each message. */
const site = await served(Number(process.argv[2]));
process.on('message', () => void site.pay());
process.send?.(site.url);
