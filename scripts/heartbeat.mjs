/*
 * Prints a line during long silences, so that a person sees progress and a CI system does not stop the job. Uses Node alone,
 * because it runs before the dependencies are installed.
 */
const SILENCE = 8_000;

/**
 * Prints `NAME: 16 s` to stderr after every eight seconds without a call of `heard`.
 * @param {() => string} name of the current step
 */
export function heartbeat(name) {
  const began = performance.now();
  let last = began;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last < SILENCE) return;
    last = now;
    process.stderr.write(`${name()}: ${Math.round((now - began) / 1000)} s\n`);
  }, 500);
  return {
    heard: () => void (last = performance.now()),
    stop: () => clearInterval(timer),
  };
}
