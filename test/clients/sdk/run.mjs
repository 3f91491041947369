/*
 * Runs the stories of the wallet SDK against a server, all at once, and prints a JSON line per story.
 * Arguments: the address of the server; then names of stories, default all.
 */
import { stories } from './stories/index.mjs';

const [url, ...names] = process.argv.slice(2);
const chosen = Object.entries(stories).filter(([name]) => names.length === 0 || names.includes(name));

await Promise.all(
  chosen.map(async ([name, play]) => {
    const began = performance.now();
    const error = await play(url).then(() => null, describe);
    process.stdout.write(`${JSON.stringify({ name, error, seconds: (performance.now() - began) / 1000 })}\n`);
  }),
);
// The SDK keeps timers and connections open.
process.exit();

function describe(error) {
  if (error instanceof Error)
    return `${error.message}\n${error.stack}${error.cause ? `\n${describe(error.cause)}` : ''}`;
  return JSON.stringify(error) ?? String(error);
}
